/**
 * What changed in vLLM's accounting of memory, by release. Each row holds from its release until the next one.
 * Sources: pull requests 33538 (sort-free top-k and top-p: 12 bytes in place of 38.5 for each logit), 38284 (graph
 * memory profiled by default, and utilisation 0.92 with it), 44443 and 53183 (model runner V2 for dense, then for all
 * models), issue 49224 (its graph estimate is 0), and the measured cases; read 2026-12-01.
 */
import type { ModelFacts } from '../../model/model-facts.ts';
import { type EngineBuild, release } from './engine-build.ts';

export type Runner = 'V0' | 'V1' | 'V2';

/** How one build accounts for memory. */
export interface EngineBehaviour {
  readonly runner: Runner;
  readonly defaultUtilization: number;
  /** Sequences where nothing is stated, on a small accelerator and on one of 70 GiB or more. */
  readonly defaultSequences: { readonly small: number; readonly large: number };
  /** Bytes of the sampler for each sequence and word of the vocabulary. */
  readonly samplerBytes: number;
  /** Whether the estimate of CUDA graphs is taken off the KV cache, or the graphs come on top later. */
  readonly subtractsGraphs: boolean;
  /** Whether graphs are captured for a trial and measured, and not extrapolated from two. */
  readonly measuresGraphs: boolean;
  /** Whether a profile run takes the peak of activations off the KV cache. */
  readonly profilesActivation: boolean;
  /** Whether a hybrid with linear layers keeps a prefix cache unless told not to. */
  readonly cachesHybridPrefixes: boolean;
  /** Whether a hybrid has a pool for each kind of layer, and not one of equal blocks for all. */
  readonly separatePools: boolean;
  /** Whether layers without an indexer of their own have no indexer cache either. */
  readonly sharesIndexers: boolean;
  /** Whether a start fails with fewer blocks than sequences, in a hybrid with linear layers. */
  readonly needsStatePerSequence: boolean;
  /** What the log calls the size of the cache: whole blocks of a group, or concurrency times context. */
  readonly logsTokensBy: 'blocks' | 'concurrency';
}

interface Era {
  readonly from: number;
  readonly defaultUtilization: number;
  readonly samplerBytesV1: number;
  readonly subtractsGraphs: boolean;
  readonly logsTokensBy: 'blocks' | 'concurrency';
  readonly runnerV2: 'none' | 'listed' | 'dense' | 'all';
}

/** One logit in fp32, its sorted copy, 64-bit indices, probabilities and masks (fit.md 1.2). */
const sortingBytes = 38.5;

const eras: readonly Era[] = [
  {
    from: 0,
    defaultUtilization: 0.9,
    samplerBytesV1: sortingBytes,
    subtractsGraphs: false,
    logsTokensBy: 'blocks',
    runnerV2: 'none',
  },
  {
    from: release(17),
    defaultUtilization: 0.9,
    samplerBytesV1: 12,
    subtractsGraphs: false,
    logsTokensBy: 'blocks',
    runnerV2: 'none',
  },
  {
    from: release(20),
    defaultUtilization: 0.92,
    samplerBytesV1: 12,
    subtractsGraphs: true,
    logsTokensBy: 'blocks',
    runnerV2: 'none',
  },
  {
    from: release(22),
    defaultUtilization: 0.92,
    samplerBytesV1: 12,
    subtractsGraphs: true,
    logsTokensBy: 'concurrency',
    runnerV2: 'none',
  },
  {
    from: release(23),
    defaultUtilization: 0.92,
    samplerBytesV1: 12,
    subtractsGraphs: true,
    logsTokensBy: 'concurrency',
    runnerV2: 'listed',
  },
  {
    from: release(25),
    defaultUtilization: 0.92,
    samplerBytesV1: 12,
    subtractsGraphs: true,
    logsTokensBy: 'concurrency',
    runnerV2: 'dense',
  },
  {
    from: release(29),
    defaultUtilization: 0.92,
    samplerBytesV1: 12,
    subtractsGraphs: true,
    logsTokensBy: 'concurrency',
    runnerV2: 'all',
  },
];

/** A build that does not say its version is taken for the newest one known. */
const assumedVersion = release(31);

/** The first V1 releases took 1,024 sequences on every accelerator (to 0.8.3; measured on 24 GB cards). */
const sequencesByMemory = release(8, 4);
/** From here runner V2 measures graphs as V1 did (release notes of 0.29). */
const measuredGraphsV2 = release(29);
/** From here a prefix cache is on for hybrids with linear layers too (measured: off in 0.19, on in 0.24). */
const hybridPrefixCache = release(24);
/** From here only layers that own an indexer have an indexer cache (measured: all 78 in 0.20, 21 of 78 in 0.25). */
const sharedIndexers = release(25);

/** From here graphs of all sequences are captured with one state each (measured in June 2026; not in 0.19). */
const statePerSequence = release(22);

/** Dense architectures that 0.23 and 0.24 moved to runner V2, unquantised only. */
const listedForV2 = ['LlamaForCausalLM', 'MistralForCausalLM', 'Qwen3ForCausalLM'];
/** One fp32 logit for each sequence and word: runner V2 samples in place. */
const samplerBytesV2 = 4;

/** Until here the profile of V0 samples every sequence by sorting (c019, h31: 1.2 GiB; not in 0.8: h32, c021). */
const samplesInV0 = release(8);

/** The engine before V1: graphs beside the budget, 256 sequences. */
const beforeV1: EngineBehaviour = {
  runner: 'V0',
  defaultUtilization: 0.9,
  defaultSequences: { small: 256, large: 256 },
  samplerBytes: 0,
  subtractsGraphs: false,
  measuresGraphs: false,
  profilesActivation: true,
  cachesHybridPrefixes: false,
  separatePools: false,
  sharesIndexers: false,
  needsStatePerSequence: false,
  logsTokensBy: 'blocks',
};

const samplingV0: EngineBehaviour = { ...beforeV1, samplerBytes: sortingBytes };

function behaviourOfV0({ version = 0 }: EngineBuild): EngineBehaviour {
  return version < samplesInV0 ? samplingV0 : beforeV1;
}

/** How a vLLM build accounts for the memory of a model. */
export function behaviourOf(build: EngineBuild, facts: ModelFacts): EngineBehaviour {
  if (build.isV0) return behaviourOfV0(build);
  const version = build.version ?? assumedVersion;
  const branch = build.branch ?? version;
  const era = eraOf(version);
  const isV2 = runsOnV2(eraOf(branch).runnerV2, facts);
  return {
    runner: isV2 ? 'V2' : 'V1',
    defaultUtilization: era.defaultUtilization,
    defaultSequences: { small: version < sequencesByMemory ? 1024 : 256, large: 1024 },
    samplerBytes: isV2 ? samplerBytesV2 : era.samplerBytesV1,
    // Runner V2 came with an estimate of zero, and measures since 0.29.
    subtractsGraphs: era.subtractsGraphs && (!isV2 || version >= measuredGraphsV2),
    // A build that does not say its version may extrapolate, which takes more.
    measuresGraphs: isV2 && (build.version ?? 0) >= measuredGraphsV2,
    profilesActivation: true,
    cachesHybridPrefixes: branch >= hybridPrefixCache,
    separatePools: false,
    sharesIndexers: version >= sharedIndexers,
    needsStatePerSequence: version >= statePerSequence,
    logsTokensBy: era.logsTokensBy,
  };
}

function eraOf(version: number): Era {
  const era = eras.findLast(({ from }) => from <= version);
  if (era === undefined) throw new Error('The first era must begin at 0');
  return era;
}

function runsOnV2(runnerV2: Era['runnerV2'], facts: ModelFacts): boolean {
  if (runnerV2 === 'none' || runnerV2 === 'all') return runnerV2 === 'all';
  if (facts.experts !== undefined || facts.pooling === true) return false;
  if (runnerV2 === 'dense') return true;
  return facts.quantisation === undefined && listedForV2.includes(facts.architecture ?? '');
}
