import { isRecord, type KubernetesObject, readList, readString } from '../kubernetes/object.ts';
import { refusalOf } from '../readiness/check-condition.ts';
import { judgeReadiness } from '../readiness/judge-readiness.ts';

/** What a person reads first about one composed object. */
export interface ObjectState {
  readonly ready: boolean;
  readonly state: 'Created' | 'Waiting' | 'Ready';
  readonly why: string;
}

interface Words {
  readonly condition: string;
  readonly word: string;
}

/** What each kind says about itself when it is ready; the others are ready once they exist. */
const wordsByKind: Readonly<Record<string, Words>> = {
  AIGatewayRoute: { condition: 'Accepted', word: 'accepted' },
  AIServiceBackend: { condition: 'Accepted', word: 'accepted' },
  Backend: { condition: 'Accepted', word: 'accepted' },
  BackendSecurityPolicy: { condition: 'Accepted', word: 'accepted' },
  BackendTrafficPolicy: { condition: 'Accepted', word: 'accepted' },
  Certificate: { condition: 'Ready', word: 'issued' },
  ClientTrafficPolicy: { condition: 'Accepted', word: 'accepted' },
  Gateway: { condition: 'Programmed', word: 'programmed' },
  HTTPRoute: { condition: 'Accepted', word: 'accepted' },
  SecurityPolicy: { condition: 'Accepted', word: 'accepted' },
};

/** Describes a composed object from what is observed of it, in words that do not change while the state does not (S3). */
export function describeState(observed: KubernetesObject | undefined): ObjectState {
  if (observed === undefined) return { ready: false, state: 'Created', why: 'composed; not observed yet' };
  const words = wordsByKind[observed.kind];
  if (judgeReadiness(observed) === 'Ready') return { ready: true, state: 'Ready', why: words?.word ?? 'exists' };
  const refusal = words === undefined ? undefined : refusalReason(observed, words.condition);
  const word = words?.word ?? 'ready';
  return { ready: false, state: 'Waiting', why: refusal === undefined ? `not ${word} yet` : `not ${word}: ${refusal}` };
}

/** The reason of the first condition of the type that is False, on the object or for one of its parents. */
function refusalReason(observed: KubernetesObject, type: string): string | undefined {
  const perParent = [...readList(observed, ['status', 'ancestors']), ...readList(observed, ['status', 'parents'])];
  const conditions = [observed.status, ...perParent]
    .flatMap((owner) => readList(owner, ['conditions']))
    .filter(isRecord);
  const types = [type, refusalOf(type)];
  const refusal = conditions.find(
    (condition) => types.includes(String(condition.type)) && condition.status === 'False',
  );
  return readString(refusal, ['reason']);
}
