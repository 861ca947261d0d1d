import type { Condition } from './condition.ts';
import { type Feature, type FeatureName, features } from './feature.ts';

/** Whether a cluster has every part that all claims need, and what does not work without those that it lacks. */
export function stackCondition(missing: readonly FeatureName[], allocation: 'DRA' | 'DevicePlugin'): Condition {
  const needed = missing.filter((name) => !isOptional(name, allocation));
  const dispensable = missing.flatMap((name) => {
    const feature: Feature = features[name];
    return feature.without === undefined ? [] : [`without ${name}, ${feature.without}: install ${feature.install}`];
  });
  if (needed.length === 0) {
    const all = missing.length === 0 ? 'Every part is installed' : 'Every part that is needed is installed';
    const message = [all, ...dispensable.sort()].join('; ');
    return { type: 'StackReady', status: 'True', reason: 'Complete', message };
  }
  const wanted = needed.map((name) => `${name}: install ${features[name].install}`).sort();
  const message = `Cannot use every part: ${[...wanted, ...dispensable.sort()].join('; ')}`;
  return { type: 'StackReady', status: 'False', reason: 'Incomplete', message };
}

/** Tells whether claims can be served without a part: some of them, or those of a cluster with a device plugin. */
function isOptional(name: FeatureName, allocation: 'DRA' | 'DevicePlugin'): boolean {
  return 'without' in features[name] || (name === 'DynamicResourceAllocation' && allocation === 'DevicePlugin');
}
