/** What a field is called where nothing else is said: the name of its parameter, for people. */

/** Abbreviations keep their letters. */
const spelled: Readonly<Record<string, string>> = {
  url: 'URL',
  id: 'ID',
  ci: 'CI',
  lfs: 'LFS',
  ssh: 'SSH',
  gpg: 'GPG',
  http: 'HTTP',
  iid: 'IID',
  api: 'API',
  scim: 'SCIM',
  oauth: 'OAuth',
  sso: 'SSO',
  ip: 'IP',
}

/** `only_allow_merge_if_pipeline_succeeds` as `Only allow merge if pipeline succeeds`. */
export function labelOf(name: string): string {
  const words = name
    .replace(/_id$/, '')
    .split('_')
    .map(word => spelled[word] ?? word)
  const [first = '', ...rest] = words
  return [first.charAt(0).toUpperCase() + first.slice(1), ...rest].join(' ')
}
