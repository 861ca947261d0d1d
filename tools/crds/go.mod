module modelberth.dev/tools/crds

go 1.26.0

require (
	github.com/cert-manager/cert-manager v1.15.0
	github.com/crossplane-contrib/provider-kubernetes v1.2.1
	github.com/crossplane/crossplane/v2 v2.4.0
	github.com/envoyproxy/ai-gateway v1.0.0
	github.com/envoyproxy/gateway v1.9.0
	github.com/prometheus-operator/prometheus-operator v0.85.0
	github.com/upbound/provider-aws/v2 v2.4.0
	sigs.k8s.io/gateway-api v1.4.0
	sigs.k8s.io/lws v0.8.0
)
