//! DynamoDB.

use super::super::shape::Shape::{Bool, List, Record, Text, Whole};
use super::super::shape::{Field, ignored, needed, quiet, read};

pub(in super::super) const TABLE: &[Field] = &[
    quiet("TableName"),
    needed("KeySchema", List(&Record(KEY))),
    needed("AttributeDefinitions", List(&Record(ATTRIBUTE))),
    read("BillingMode", Text),
    read("ProvisionedThroughput", Record(THROUGHPUT)),
    read("GlobalSecondaryIndexes", List(&Record(GLOBAL_INDEX))),
    read("LocalSecondaryIndexes", List(&Record(LOCAL_INDEX))),
    read("TimeToLiveSpecification", Record(EXPIRY)),
    read("DeletionProtectionEnabled", Bool),
    quiet("TableClass"),
    quiet("PointInTimeRecoverySpecification"),
    quiet("SSESpecification"),
    quiet("ContributorInsightsSpecification"),
    ignored("ImportSourceSpecification"),
    ignored("KinesisStreamSpecification"),
    ignored("OnDemandThroughput"),
    ignored("ResourcePolicy"),
    ignored("StreamSpecification"),
    ignored("Tags"),
    ignored("WarmThroughput"),
];

const KEY: &[Field] = &[needed("AttributeName", Text), needed("KeyType", Text)];

const ATTRIBUTE: &[Field] = &[needed("AttributeName", Text), needed("AttributeType", Text)];

const THROUGHPUT: &[Field] =
    &[needed("ReadCapacityUnits", Whole(1, MANY)), needed("WriteCapacityUnits", Whole(1, MANY))];

const MANY: i64 = 1_000_000_000;

const GLOBAL_INDEX: &[Field] = &[
    needed("IndexName", Text),
    needed("KeySchema", List(&Record(KEY))),
    needed("Projection", Record(PROJECTION)),
    read("ProvisionedThroughput", Record(THROUGHPUT)),
    quiet("ContributorInsightsSpecification"),
    ignored("OnDemandThroughput"),
    ignored("WarmThroughput"),
];

const LOCAL_INDEX: &[Field] = &[
    needed("IndexName", Text),
    needed("KeySchema", List(&Record(KEY))),
    needed("Projection", Record(PROJECTION)),
];

const PROJECTION: &[Field] = &[read("ProjectionType", Text), read("NonKeyAttributes", List(&Text))];

const EXPIRY: &[Field] = &[read("AttributeName", Text), needed("Enabled", Bool)];
