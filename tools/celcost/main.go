// Celcost judges with the API server's own code what no client can: whether a CustomResourceDefinition would be
// installed (structural schema, CEL compilation, CEL cost), and whether an update would pass its transition rules.
// Stdin: {"definitions": [CRD], "updates": [{"old": object, "new": object}]}, all JSON.
// Stdout: {"definitions": [[error]], "updates": [[error]]}, in the order of stdin; an empty list is an acceptance.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/install"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"
	structural "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	schemavalidation "k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
)

type object = map[string]any

type question struct {
	Definitions []v1.CustomResourceDefinition `json:"definitions"`
	Updates     []struct {
		Old object `json:"old"`
		New object `json:"new"`
	} `json:"updates"`
}

type answer struct {
	Definitions [][]string `json:"definitions"`
	Updates     [][]string `json:"updates"`
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run() error {
	var asked question
	if err := json.NewDecoder(os.Stdin).Decode(&asked); err != nil {
		return fmt.Errorf("cannot read stdin: %w", err)
	}
	scheme := runtime.NewScheme()
	install.Install(scheme)
	said := answer{Definitions: [][]string{}, Updates: [][]string{}}
	rules := map[string]*kindRules{}
	for i := range asked.Definitions {
		definition, err := stored(scheme, &asked.Definitions[i])
		if err != nil {
			return err
		}
		errors := validation.ValidateCustomResourceDefinition(context.Background(), definition)
		said.Definitions = append(said.Definitions, texts(errors))
		if len(errors) > 0 {
			continue
		}
		if rules[definition.Spec.Names.Kind], err = compile(definition); err != nil {
			return err
		}
	}
	for _, update := range asked.Updates {
		kind, _ := update.New["kind"].(string)
		judge, ok := rules[kind]
		if !ok {
			return fmt.Errorf("cannot judge an update of %q: no accepted definition on stdin has the kind", kind)
		}
		said.Updates = append(said.Updates, texts(judge.update(update.Old, update.New)))
	}
	return json.NewEncoder(os.Stdout).Encode(said)
}

// stored is the definition as the API server would hold it before it validates: with defaults, and stored versions.
func stored(scheme *runtime.Scheme, asked *v1.CustomResourceDefinition) (*apiextensions.CustomResourceDefinition, error) {
	scheme.Default(asked)
	definition := &apiextensions.CustomResourceDefinition{}
	if err := scheme.Convert(asked, definition, nil); err != nil {
		return nil, fmt.Errorf("cannot convert %s: %w", asked.Name, err)
	}
	definition.Status = apiextensions.CustomResourceDefinitionStatus{}
	for _, version := range definition.Spec.Versions {
		if version.Storage {
			definition.Status.StoredVersions = append(definition.Status.StoredVersions, version.Name)
		}
	}
	return definition, nil
}

type kindRules struct {
	schema  *structural.Structural
	openapi schemavalidation.SchemaValidator
	cel     *cel.Validator
}

// compile reads the schema of the first version; each of our kinds has one.
func compile(definition *apiextensions.CustomResourceDefinition) (*kindRules, error) {
	version := definition.Spec.Versions[0].Name
	described, err := apiextensions.GetSchemaForVersion(definition, version)
	if err != nil {
		return nil, fmt.Errorf("cannot find the schema of %s: %w", definition.Name, err)
	}
	schema, err := structural.NewStructural(described.OpenAPIV3Schema)
	if err != nil {
		return nil, fmt.Errorf("cannot read the schema of %s: %w", definition.Name, err)
	}
	openapi, _, err := schemavalidation.NewSchemaValidator(described.OpenAPIV3Schema)
	if err != nil {
		return nil, fmt.Errorf("cannot compile the schema of %s: %w", definition.Name, err)
	}
	return &kindRules{schema, openapi, cel.NewValidator(schema, true, celconfig.PerCallLimit)}, nil
}

// update judges new in the place of old, both with the defaults of the schema, as on a PUT.
func (k *kindRules) update(old, new object) field.ErrorList {
	defaulting.Default(old, k.schema)
	defaulting.Default(new, k.schema)
	errors := schemavalidation.ValidateCustomResourceUpdate(nil, new, old, k.openapi)
	broken, _ := k.cel.Validate(context.Background(), nil, k.schema, new, old, celconfig.RuntimeCELCostBudget)
	return append(errors, broken...)
}

func texts(errors field.ErrorList) []string {
	said := []string{}
	for _, err := range errors {
		said = append(said, err.Error())
	}
	return said
}
