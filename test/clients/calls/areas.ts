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
    has: /^(DELETE \/todos\/|POST \S+\/access_requests\/:p\/approve$|POST \/groups\/:p\/(issues|runners)|(GET|DELETE) \/groups\/:p\/runners\/|PUT \S+\/approvers$|\S+ \S+\/features_flags|PUT \S+\/cancel_merge_when|GET \/projects\/:p\/notes|GET \S+\/pipeline_schedules\/:p\/variables|DELETE \S+\/push_rule\/:p$|GET \S+\/statuses\/:p$|\S+ \S+\/tags\/:p\/release$|GET \/projects\/:p\/runners\/:p$|POST \S+\/triggers\/:p\/take_ownership$|GET \/users\/:p\/(emails|memberships)\/:p$|GET \/groups\/:p\/(import|export)$|POST \/geo_nodes\/:p$|\S+ \/application\/appearence$|POST \/project_aliases\/:p$|POST \S+\/approvals\/:p$|POST \S+\/(draft_notes|remote_mirrors)\/:p$|PUT \S+\/merge_ref$|GET \S+\/storage\/:p$|DELETE \/features$|\S+ \S+\/packages\/nuget\/(index|download\/:p\/index)$|GET \/groups\/:p\/-\/packages\/(composer|nuget)\/\S+|GET \/groups\/:p\/packages\/pypi\/\S+|\S+ \S*\/packages\/conan\/v1\/\S+|\S+ \/packages\/npm\/-\/package\/:p\/dist-tags\/:p$)/,
  },
  { title: 'Geo', reason: 'An instance is one server: there are no other sites to copy to.', has: /\/geo_(nodes|sites)/ },
  {
    title: 'Licences of the platform',
    reason: 'The tier is a setting; there is no licence to buy, to enter or to remove.',
    has: / \/license/,
  },
  {
    title: 'Licence compliance and vulnerabilities',
    reason: 'Reports of security scanners are not managed.',
    has: /\/(managed_licenses|vulnerability_findings|vulnerabilities|dependency_list_exports)/,
  },
  {
    title: 'Merge trains',
    reason: 'Merge requests are merged one by one; `merge when the pipeline succeeds` waits for the pipeline of each.',
    has: /\/merge_trains/,
  },
  {
    title: 'Figures and products around the platform',
    reason:
      'DORA metrics, product analytics, usage data, experiments, code suggestions and the platform’s own search index belong to services that Ingot does not have.',
    has: /\/(dora|product_analytics|usage_data|experiments|code_suggestions|admin\/search|group_activity|admin\/sidekiq\/queues|user_starred_dashboards|metrics_dashboard|alert_management_alerts)/,
  },
  {
    title: 'Storages',
    reason: 'Repositories lie in the storage that the instance has: there is none to move them to.',
    has: /repository_storage_moves/,
  },
  {
    title: 'Roles of one’s own, and accounts that a group manages',
    reason:
      'Roles are those of 14.0. Accounts of machines are the bots of project and group access tokens; people are provisioned by SCIM.',
    has: /\/(member_roles|service_accounts|provisioned_users|saml|saml_group_links|scim|ssh_certificates|override)\b/,
  },
  {
    title: 'Added to the platform after 14.0',
    reason: 'These came with later levels, and nothing here stands behind them yet.',
    has: /\/(groups\/:p\/(approval_rules|protected_branches|epic_boards|hooks\/:p\/custom_headers)|epics\/:p\/(links|related_epics|todos)|hooks\/:p\/custom_headers|invitations\/:p$|cluster_agents\/:p\/tokens|deployments\/:p\/approval|error_tracking|external_status_checks|status_checks|status_check_responses|secure_files|pages$|tags\/:p\/signature|registry\/protection\/rules|blocks$|dependency_proxy\/cache|refresh_billable_users|reset_registration_token|project_deploy_keys|user\/personal_access_tokens|export_relations)/,
  },
  {
    title: 'Packages and container images',
    reason: 'Repositories of images are asked for by their id alone (`/registry/repositories/:id`).',
    has: /\/(packages|registry)\b/,
  },
  {
    title: 'Import from other platforms',
    reason: 'Projects and groups move as archives; imports by the API of other platforms are those from GitHub.',
    has: /\/(export|import|remote-import-s3)\b/,
  },
]
