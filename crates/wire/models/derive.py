#!/usr/bin/env python3
"""Writes the models of this folder out of the API descriptions that botocore ships.

    pip download --no-deps botocore botocore==1.31.80 -d wheels
    derive.py wheels/botocore-1.44.8-py3-none-any.whl wheels/botocore-1.31.80-py3-none-any.whl

The second botocore is the last one in whose description SQS speaks Query: how lists and maps are
named in that protocol is no part of the newer ones. The notation is described in
src/model/parse.rs; a trait that it cannot say ends the script.
"""

import gzip
import json
import pathlib
import sys
import zipfile

SERVICES = {
    "sqs": "Sqs",
    "sns": "Sns",
    "cloudwatch": "CloudWatch",
    "sts": "Sts",
    "events": "EventBridge",
    "dynamodb": "DynamoDb",
    "lambda": "Lambda",
    "scheduler": "Scheduler",
    "pipes": "Pipes",
}
# What stands before the names of errors where it is not the service's name.
NAMESPACES = {"dynamodb": "com.amazonaws.dynamodb.v20120810"}
# It answers with a stream of events, which is no answer that is made at once.
LEFT_OUT = {"InvokeWithResponseStream"}
SCALARS = {
    "string": "string",
    "character": "string",
    "integer": "integer",
    "long": "integer",
    "float": "double",
    "double": "double",
    "boolean": "boolean",
    "timestamp": "timestamp",
    "blob": "blob",
}
PROTOCOLS = {"json": "json", "query": "query", "smithy-rpc-v2-cbor": "cbor", "rest-json": "rest"}
LOCATIONS = {"uri": "path", "querystring": "query", "header": "header", "statusCode": "status"}
# Traits of how a value is written that the notation has no word for.
UNKNOWN = {"timestampFormat", "eventstream", "xmlAttribute", "jsonvalue"}
# Added to SQS after it had left Query, and so named as its siblings are.
LATER_NAMES = {"MessageSystemAttributeList": "MessageSystemAttributeName"}


def load(wheel, service):
    with zipfile.ZipFile(wheel) as archive:
        names = [n for n in archive.namelist() if f"botocore/data/{service}/" in n and "/service-2.json" in n]
        data = archive.read(max(names))
    return json.loads(gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data)


def with_query_traits(new, old):
    """SQS as it is, with the names that it has in Query."""
    for name, shape in new["shapes"].items():
        was = old["shapes"].get(name, {})
        for part in ("member", "key", "value"):
            if part in shape and "locationName" in was.get(part, {}):
                shape[part]["locationName"] = was[part]["locationName"]
        for member, described in shape.get("members", {}).items():
            before = was.get("members", {}).get(member, {})
            described.update({k: before[k] for k in ("locationName", "flattened") if k in before})
        shape.update({k: was[k] for k in ("locationName", "error") if k in was})
    for name, item in LATER_NAMES.items():
        new["shapes"][name]["member"]["locationName"] = item
    new["metadata"]["xmlNamespace"] = old["metadata"]["xmlNamespace"]
    new["metadata"]["protocols"] = [*new["metadata"]["protocols"], "query"]
    for name, operation in new["operations"].items():
        wrapper = old["operations"][name].get("output", {}).get("resultWrapper")
        if wrapper:
            operation["output"]["resultWrapper"] = wrapper
    return new


class Model:
    def __init__(self, service, description):
        self.service, self.all = service, description
        self.shapes = description["shapes"]
        self.needed, self.done = [], set()
        self.is_rest = "rest-json" in description["metadata"]["protocols"]

    def lines(self):
        yield from self.header()
        for name, operation in sorted(self.all["operations"].items()):
            if name not in LEFT_OUT:
                yield from self.operation(name, operation)
        if self.is_rest:
            self.needed += sorted(name for name, shape in self.shapes.items() if shape.get("exception"))
        while self.needed:
            name = self.needed.pop(0)
            if name not in self.done:
                self.done.add(name)
                yield from self.structure(name)
        for name, shape in sorted(self.shapes.items()):
            if shape.get("exception"):
                yield self.error(name, shape)

    def header(self):
        meta = self.all["metadata"]
        yield f"version {meta['apiVersion']}"
        yield f"signing {meta.get('signingName', meta['endpointPrefix'])}"
        yield f"namespace {NAMESPACES.get(self.service, f'com.amazonaws.{self.service}')}"
        yield "protocols " + " ".join(PROTOCOLS[p] for p in meta["protocols"])
        if "targetPrefix" in meta:
            yield f"target {meta['targetPrefix']}"
        if "jsonVersion" in meta:
            yield f"json {meta['jsonVersion']}"
        if "xmlNamespace" in meta:
            yield f"xmlns {meta['xmlNamespace']}"
        if "awsQueryCompatible" in meta:
            yield "query-compatible"

    def operation(self, name, operation):
        shape_in, shape_out = (operation.get(k, {}).get("shape", "-") for k in ("input", "output"))
        wrapper = operation.get("output", {}).get("resultWrapper")
        if wrapper not in (None, f"{name}Result"):
            sys.exit(f"{name}: a result wrapper of another name than the operation's: {wrapper}")
        self.needed += [s for s in (shape_in, shape_out) if s != "-"]
        http = operation["http"]
        bound = f" {http['method']} {http['requestUri']} {http['responseCode']}" if self.is_rest else ""
        yield f"operation {name} {shape_in} {shape_out}{bound}"

    def structure(self, name):
        shape = self.known(name, self.shapes[name])
        yield f"structure {name}"
        for member, described in shape["members"].items():
            self.known(f"{name}.{member}", described)
            kind = self.kind(described["shape"], described.get("flattened", False))
            wire = self.wire_name(member, described, kind)
            place = self.place(name, member, described, kind)
            yield f"  {member} {kind}" + (f" at {place}" if place else "") + (f" as {wire}" if wire != member else "")

    def place(self, name, member, described, kind):
        """Where in a request or an answer a member stands that is not one of the body's."""
        if self.shapes[name].get("payload") == member:
            if kind != "blob" and not kind[0].isupper():
                sys.exit(f"{self.service} {name}.{member}: the notation cannot say that a {kind} is a body")
            return "body"
        place = LOCATIONS[described["location"]] if "location" in described else None
        if place == "query" and kind[0] in "{~" or place in ("path", "header", "status") and kind not in ("string", "integer", "boolean"):
            sys.exit(f"{self.service} {name}.{member}: the notation cannot say how a {kind} stands in a {place}")
        return place

    def wire_name(self, member, described, kind):
        shape = self.shapes[described["shape"]]
        named = described.get("locationName", shape.get("locationName", member))
        # A flattened list is called by the name of its items, where they have one.
        return shape["member"].get("locationName", named) if kind.startswith("~[") else named

    def kind(self, name, flattened=False):
        shape = self.known(name, self.shapes[name])
        flat = "~" if flattened or shape.get("flattened") else ""
        if shape["type"] == "structure":
            self.needed.append(name)
            return name
        if shape["type"] == "list":
            item = self.kind(shape["member"]["shape"])
            named = shape["member"].get("locationName", "member")
            return f"{flat}[{item}]" if flat or named == "member" else f"[{named}:{item}]"
        if shape["type"] == "map":
            key, value = (shape[part].get("locationName", part) for part in ("key", "value"))
            of = self.kind(shape["value"]["shape"])
            return f"{flat}{{{of}}}" if (key, value) == ("key", "value") else f"{flat}{{{key},{value}:{of}}}"
        return SCALARS[shape["type"]]

    def error(self, name, shape):
        error = shape.get("error", {})
        status = error.get("httpStatusCode", 500 if shape.get("fault") else 400)
        return f"error {name} {error.get('code', name)} {status}"

    def known(self, name, described):
        if found := UNKNOWN & described.keys():
            sys.exit(f"{self.service} {name}: the notation cannot say {found}")
        return described


def main():
    newest, with_query = sys.argv[1:]
    folder = pathlib.Path(__file__).parent
    for service, variant in SERVICES.items():
        description = load(newest, service)
        if service == "sqs":
            description = with_query_traits(description, load(with_query, service))
        source = pathlib.Path(newest).name.split("-py")[0].replace("-", " ")
        head = f"# {variant}: written by derive.py from {source}; not edited by hand.\n"
        text = "\n".join(Model(service, description).lines())
        (folder / f"{service}.txt").write_text(f"{head}{text}\n")


main()
