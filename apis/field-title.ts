/** Parts of names that are written in another way than as a word. */
const spellings: Readonly<Record<string, string>> = {
  ai: 'AI',
  ami: 'AMI',
  api: 'API',
  arn: 'ARN',
  cpu: 'CPU',
  eks: 'EKS',
  gib: 'GiB',
  id: 'ID',
  jwt: 'JWT',
  kv: 'KV',
  oidc: 'OIDC',
  tls: 'TLS',
  uri: 'URI',
  url: 'URL',
  usd: 'USD',
};

/** The title of a field in a form, from its name: `usdPerHour` is "USD per hour". */
export function fieldTitle(name: string): string {
  const words = name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(' ');
  const [first = '', ...rest] = words.map((word) => spellings[word] ?? word);
  return [`${first.charAt(0).toUpperCase()}${first.slice(1)}`, ...rest].join(' ');
}
