//! Which operation of which service a request's method and path name.

use super::path;
use crate::call::Protocol;
use crate::credential::Credential;
use crate::model::Binding;
use crate::not_a_call::NotACall;
use crate::service::Service;
use crate::upstream::Request;

/// The service and the operation, where the request is one of REST's. The signature tells the
/// service, since their paths tell it only in part; a request that has none is told by its path.
pub(crate) fn target(request: &Request) -> Result<Option<(Service, &'static str)>, NotACall> {
    if let Some(service) = signed_for(request) {
        let not_found = || NotACall::Path(request.uri().path().to_owned());
        return operation(service, request).map(|found| Some((service, found))).ok_or_else(not_found);
    }
    if Credential::of(request).is_some() {
        return Ok(None);
    }
    let mut services = Service::ALL.iter().filter(|service| service.speaks(Protocol::Rest));
    Ok(services.find_map(|service| Some((*service, operation(*service, request)?))))
}

/// The service that a request is signed for, where it is one of REST's.
pub(crate) fn signed_for(request: &Request) -> Option<Service> {
    Credential::of(request)?.service().filter(|service| service.speaks(Protocol::Rest))
}

fn operation(service: Service, request: &Request) -> Option<&'static str> {
    let (address, query) = (request.uri().path(), request.uri().query().unwrap_or_default());
    let fits = |binding: &Binding| {
        binding.method == request.method()
            && path::query_fits(binding.path, query)
            && path::labels(binding.path, address).is_some()
    };
    let operations = service.model().operations.iter();
    let bound = operations.filter_map(|(name, operation)| Some((*name, operation.binding.as_ref()?)));
    let fitting = bound.filter(|(_, binding)| fits(binding));
    Some(fitting.max_by_key(|(_, binding)| path::firmness(binding.path))?.0)
}
