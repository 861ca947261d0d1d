import type { Compose, ComposeRequest, Requirements } from './compose.ts';

/**
 * What a step requires, found out without the decision that failed: with everything hidden, and with each requirement
 * hidden alone. It must be said again: otherwise core fetches, calls, forgets and fetches again until it gives up.
 */
export function recoverRequirements(compose: Compose, request: ComposeRequest, names: readonly string[]): Requirements {
  const found = [() => true, ...names.map((hidden) => (name: string) => name === hidden)].map((isHidden) =>
    tryRequire(compose, hideRequired(request, isHidden)),
  );
  return {
    resources: Object.assign({}, ...found.map(({ resources }) => resources)),
    schemas: Object.assign({}, ...found.map(({ schemas }) => schemas)),
  };
}

function hideRequired(request: ComposeRequest, isHidden: (name: string) => boolean): ComposeRequest {
  return {
    ...request,
    required: (name) => (isHidden(name) ? { state: 'Unresolved' } : request.required(name)),
    requiredSchema: (name) => (isHidden(name) ? 'Unresolved' : request.requiredSchema(name)),
  };
}

function tryRequire(compose: Compose, request: ComposeRequest): Requirements {
  try {
    return compose(request).requirements;
  } catch {
    return { resources: {} };
  }
}
