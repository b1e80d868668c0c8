/** Why calls of published clients are not served, by area. The first area that has a call counts. */
export interface Area {
  readonly title: string
  readonly reason: string
  /** Matches `METHOD /path`. */
  readonly has: RegExp
}

export const areas: readonly Area[] = [
  {
    title: 'Not in 14.0',
    reason: 'The clients call what the platform had before, never had at this address, or has with another method.',
    has: /^(DELETE \/todos\/|POST \S+\/access_requests\/:p\/approve$|POST \/groups\/:p\/(issues|runners)|(GET|DELETE) \/groups\/:p\/runners\/|PUT \S+\/approvers$|\S+ \S+\/features_flags|PUT \S+\/cancel_merge_when|GET \/projects\/:p\/notes|GET \S+\/pipeline_schedules\/:p\/variables|DELETE \S+\/push_rule\/:p$|GET \S+\/statuses\/:p$|\S+ \S+\/tags\/:p\/release$|GET \/projects\/:p\/runners\/:p$|POST \S+\/triggers\/:p\/take_ownership$|GET \/users\/:p\/(emails|memberships)\/:p$|GET \/groups\/:p\/(import|export)$|POST \/geo_nodes\/:p$)/,
  },
  { title: 'Geo', reason: 'An instance is one server: there are no other sites to copy to.', has: /\/geo_nodes/ },
  {
    title: 'Licences of the platform',
    reason: 'The tier is a setting; there is no licence to buy, to enter or to remove.',
    has: / \/license/,
  },
  {
    title: 'Licence compliance and vulnerabilities',
    reason: 'Reports of security scanners are not managed.',
    has: /\/(managed_licenses|vulnerability_findings)/,
  },
  {
    title: 'Packages and container images',
    reason: 'Repositories of images are asked for by their id alone (`/registry/repositories/:id`).',
    has: /\/(packages|registry)\b/,
  },
  {
    title: 'Import from other platforms',
    reason: 'Projects and groups move as archives; imports by the API of other platforms are those from GitHub.',
    has: /\/(export|import)\b/,
  },
]
