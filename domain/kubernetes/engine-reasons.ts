/** The reasons of the conditions EngineReady and ConformanceChecked, a part of the closed list in `condition.ts`. */
export const engineReasons = {
  Conforms: {
    means: 'The revision that runs passed every case that it was tried with.',
    mend: 'Nothing is to be done.',
  },
  CaseFailed: {
    means: 'The revision that runs failed a case that it was tried with. It gets no requests.',
    mend: 'The message has the case. Try it by hand with modelberth probe, then change the engine, its arguments or the cases under spec.conformance.',
  },
  ConformanceRunning: {
    means:
      'The revision that runs is being tried, or will be once its engine answers. It gets requests when it passes.',
    mend: 'Wait; the message says for what. Nothing is lost meanwhile.',
  },
  ConformanceNotRun: {
    means: 'The check ended without a word on the engine, which holds nothing back: the revision gets requests.',
    mend: 'The message has what Kubernetes says of the Job. Delete the Job of the check to have it tried again with the next revision.',
  },
  NotChecked: {
    means: 'The revision that runs answered before revisions were tried, or none is tried. It gets requests.',
    mend: 'Nothing is to be done; the next revision is tried unless spec.conformance.enabled is false.',
  },
  NoEvidenceImage: {
    means: 'The claim says what a revision must prove, and the function does not know the image to try it with.',
    mend: 'Install a package of a release, or set evidenceImage in the Input of the rollout-strategy step.',
  },
  EngineAnswers: { means: 'The engine passes its readiness probe.', mend: 'Nothing is to be done.' },
  EngineStarting: {
    means: 'The engine exists and does not pass its readiness probe yet.',
    mend: 'Wait; the message says for what. Nothing is lost meanwhile.',
  },
  EngineBlocked: {
    means: 'A container of the engine cannot be started: a Secret or an image that it needs is not there.',
    mend: 'Put the Secret into the namespace that the message names, on the cluster of the engine, or correct the image.',
  },
  EngineFailed: {
    means: 'The engine has ended with an error.',
    mend: 'The message has its last words. Change what they complain of under spec.engine or spec.load.',
  },
  Unschedulable: {
    means:
      'The scheduler has no node for a pod of the engine: too few accelerators are free, or none has the product of the class.',
    mend: 'Compare spec.accelerator.productName of the InferenceClass with the ResourceSlices of the node, and see who holds its accelerators.',
  },
  GangNotFormed: {
    means:
      'A replica over several nodes has not all its pods in time. Where some hold accelerators that others could use, all its pods go and are made again.',
    mend: 'The message has what the scheduler says of the pod that waits: free an accelerator for it, or correct the class.',
  },
} as const;
