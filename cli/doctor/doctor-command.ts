import { Command, Option } from 'commander';
import { readObjects, standardInput } from '../read-objects.ts';
import { findLacks, type Lack } from './find-lacks.ts';

interface Flags {
  readonly live: string;
  readonly output: 'text' | 'json';
}

/** Everything that doctor looks at, as one reads it from a cluster. */
const wantedKinds = [
  'inferenceclasses,inferenceclusters,inferencegateways',
  'modeldeployments,modelreplicas,modelservices',
  'nodegroups.eks.aws.m.upbound.io',
  'configurations.pkg.crossplane.io,functions.pkg.crossplane.io',
].join(',');

const examples = `
Examples:
  modelberth doctor --live examples/poc-2
  kubectl get ${wantedKinds} -A -o yaml | modelberth doctor -o json

Exit codes: 0 nothing that is claimed lacks anything, 1 something is lacking, 2 bad usage or unreadable input`;

/** `modelberth doctor`: says what a cluster lacks for what is claimed on it, with the command that mends each. */
export function doctorCommand(write: (text: string) => void, setExitCode: (code: number) => void): Command {
  return new Command('doctor')
    .description('Say what a cluster lacks for what is claimed on it, and the command that mends each')
    .option('--live <path>', 'file or folder with the objects of the cluster, or "-" for standard input', standardInput)
    .addOption(new Option('-o, --output <format>', 'what to print').choices(['text', 'json']).default('text'))
    .addHelpText('after', examples)
    .action(({ live, output }: Flags) => {
      const objects = readObjects(live);
      const lacks = findLacks(objects);
      write(
        output === 'json'
          ? `${JSON.stringify({ objects: objects.length, lacks }, null, 2)}\n`
          : print(lacks, objects.length),
      );
      setExitCode(lacks.some(({ isNeeded }) => isNeeded) ? 1 : 0);
    });
}

function print(lacks: readonly Lack[], objects: number): string {
  if (lacks.length === 0) return `Nothing is lacking, by ${objects} objects\n`;
  const lines = lacks.map(({ subject, found, command, isNeeded }) => {
    return `${isNeeded ? 'LACKS' : 'note '}  ${subject}: ${found}\n       ${command}`;
  });
  return `${lines.join('\n')}\n`;
}
