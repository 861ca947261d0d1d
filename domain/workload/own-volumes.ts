/** Volumes that Modelberth gives a pod by itself, and where they are mounted. */
export const ownVolumes = ['home', 'shm', 'tmp', 'weights'] as const;
export const ownMounts = ['/dev/shm', '/home/engine', '/tmp', '/weights'] as const;
