import { z } from 'zod';
import { withRules } from '../kubernetes/spec-rule.ts';

/** Who calls, where the requests at once are not known. */
export const Users = z
  .object({
    people: z
      .int32()
      .min(0)
      .max(100000)
      .default(0)
      .describe('People who write and read themselves. Default 0. Each is taken for one request at once in four.'),
    agentUsers: z
      .int32()
      .min(0)
      .max(100000)
      .default(0)
      .describe(
        'People whose agents call in their place, with subagents beside them. Default 0. Each is taken for requestsPerAgentUser at once (L42).',
      ),
    // A rule, since an API server takes the whole number 0 for a minimum of 0.1 (1.36.3, run 2026-12-02).
    requestsPerAgentUser: withRules(z.number().max(100), [
      {
        rule: 'self >= 0.1',
        message: 'requestsPerAgentUser is less than 0.1: state the requests at once of one person with agents',
        holds: (requests) => requests >= 0.1,
      },
    ])
      .default(4)
      .describe('Requests at once of one person with agents, on a busy hour. Default 4: an agent and three subagents.'),
  })
  .describe('Who calls. Gives the requests at once over all replicas, where concurrentRequests is not stated.');
export type Users = z.output<typeof Users>;

/** What callers will ask of one replica. */
export const Load = z
  .object({
    contextTokens: z
      .int32()
      .min(256)
      .describe('Longest context of one request in tokens, prompt and output together. Becomes --max-model-len.'),
    concurrentRequests: z
      .int32()
      .min(1)
      .max(1024)
      .optional()
      .describe(
        'Requests that one replica must run at once, each in tokens of its own. Default: from users over the replicas, else 4. Becomes --max-num-seqs with a quarter to spare.',
      ),
    users: Users.optional(),
    promptTokens: z
      .int32()
      .min(1)
      .optional()
      .describe('Typical prompt in tokens, for the estimate of speed. Default: half of contextTokens.'),
    outputTokens: z
      .int32()
      .min(1)
      .optional()
      .describe('Typical output in tokens, for the estimate of speed. Default: 512.'),
    maxOutputTokens: z
      .int32()
      .min(1)
      .optional()
      .describe(
        'Upper bound of the output of one request in tokens (L17, L32). Default: a quarter of contextTokens. Enforced by vLLM; SGLang takes it for callers that state none.',
      ),
  })
  .describe('What callers will ask of one replica.');
export type Load = z.output<typeof Load>;
