/**
 * Settings of the public API at 14.0 that say something about parts which Ingot does not have, or that it decides another way. They are kept for
 * clients, which write what they have read, and change nothing. Each has the default of the platform; the database has only what was set.
 */
import Type, { type TSchema } from 'typebox'
import { WebAddress } from '../kernel/addresses/web_address.ts'

const flags = {
  akismet_enabled: false,
  allow_group_owners_to_manage_ldap: true,
  asset_proxy_enabled: false,
  authorized_keys_enabled: true,
  auto_devops_enabled: true,
  check_namespace_plan: false,
  delayed_group_deletion: false,
  delayed_project_deletion: false,
  disable_feed_token: false,
  dns_rebinding_protection_enabled: true,
  eks_integration_enabled: false,
  elasticsearch_aws: false,
  elasticsearch_indexing: false,
  elasticsearch_limit_indexing: false,
  elasticsearch_search: false,
  email_author_in_body: false,
  email_restrictions_enabled: false,
  enforce_namespace_storage_limit: false,
  enforce_terms: false,
  external_authorization_service_enabled: false,
  external_pipeline_validation_service_enabled: false,
  floc_enabled: false,
  gitpod_enabled: false,
  grafana_enabled: false,
  gravatar_enabled: false,
  group_owners_can_manage_default_branch_protection: true,
  hashed_storage_enabled: true,
  help_page_hide_commercial_content: false,
  hide_third_party_offers: false,
  housekeeping_bitmaps_enabled: true,
  housekeeping_enabled: true,
  in_product_marketing_emails_enabled: true,
  invisible_captcha_enabled: false,
  kroki_enabled: false,
  lock_memberships_to_ldap: false,
  mailgun_events_enabled: false,
  maintenance_mode: false,
  mirror_available: true,
  npm_package_requests_forwarding: true,
  plantuml_enabled: false,
  prometheus_metrics_enabled: true,
  protected_ci_variables: true,
  pseudonymizer_enabled: false,
  recaptcha_enabled: false,
  remember_me_enabled: true,
  repository_checks_enabled: true,
  slack_app_enabled: false,
  snowplow_enabled: false,
  sourcegraph_enabled: false,
  sourcegraph_public_only: true,
  spam_check_endpoint_enabled: false,
  suggest_pipeline_enabled: true,
  throttle_authenticated_api_enabled: false,
  throttle_authenticated_packages_api_enabled: false,
  throttle_authenticated_web_enabled: false,
  throttle_unauthenticated_enabled: false,
  throttle_unauthenticated_packages_api_enabled: false,
  time_tracking_limit_to_hours: false,
  unique_ips_limit_enabled: false,
  updating_name_disabled_for_users: false,
  usage_ping_enabled: false,
  user_deactivation_emails_enabled: false,
  user_oauth_applications: true,
  user_show_add_ssh_key_message: true,
  version_check_enabled: false,
  web_ide_clientside_preview_enabled: false,
} as const

const numbers = {
  container_registry_cleanup_tags_service_max_list_size: 200,
  container_registry_delete_tags_service_timeout: 250,
  container_registry_expiration_policies_worker_capacity: 0,
  deletion_adjourned_period: 7,
  diff_max_files: 1000,
  diff_max_lines: 50_000,
  diff_max_patch_bytes: 204_800,
  external_authorization_service_timeout: 0.5,
  first_day_of_week: 1,
  geo_status_timeout: 10,
  gitaly_timeout_default: 55,
  gitaly_timeout_fast: 10,
  gitaly_timeout_medium: 30,
  housekeeping_full_repack_period: 50,
  housekeeping_gc_period: 200,
  housekeeping_incremental_repack_period: 10,
  local_markdown_version: 0,
  max_export_size: 0,
  metrics_method_call_threshold: 10,
  mirror_capacity_threshold: 50,
  mirror_max_capacity: 100,
  mirror_max_delay: 300,
  polling_interval_multiplier: 1,
  push_event_activities_limit: 3,
  push_event_hooks_limit: 3,
  raw_blob_request_limit: 300,
  search_rate_limit: 30,
  search_rate_limit_unauthenticated: 10,
  shared_runners_minutes: 0,
  terminal_max_session_time: 0,
  throttle_authenticated_api_period_in_seconds: 3_600,
  throttle_authenticated_api_requests_per_period: 7_200,
  throttle_authenticated_packages_api_period_in_seconds: 15,
  throttle_authenticated_packages_api_requests_per_period: 1_000,
  throttle_authenticated_web_period_in_seconds: 3_600,
  throttle_authenticated_web_requests_per_period: 7_200,
  throttle_unauthenticated_packages_api_period_in_seconds: 15,
  throttle_unauthenticated_packages_api_requests_per_period: 800,
  throttle_unauthenticated_period_in_seconds: 3_600,
  throttle_unauthenticated_requests_per_period: 3_600,
  unique_ips_limit_per_user: 10,
  unique_ips_limit_time_window: 3_600,
  wiki_page_max_content_bytes: 52_428_800,
} as const

/** Texts; those of secrets are not here: what is of no use is not kept. */
const texts = {
  abuse_notification_email: null,
  admin_notification_email: null,
  archive_builds_in_human_readable: null,
  asset_proxy_url: null,
  auto_devops_domain: null,
  eks_account_id: null,
  elasticsearch_aws_region: null,
  elasticsearch_url: null,
  email_restrictions: null,
  external_authorization_service_default_label: null,
  external_authorization_service_url: null,
  external_pipeline_validation_service_url: null,
  geo_node_allowed_ips: '0.0.0.0/0, ::/0',
  gitpod_url: 'https://gitpod.io/',
  help_text: null,
  kroki_url: null,
  maintenance_mode_message: null,
  performance_bar_allowed_group_path: null,
  plantuml_url: null,
  recaptcha_site_key: null,
  snowplow_collector_hostname: null,
  snowplow_cookie_domain: null,
  sourcegraph_url: null,
  spam_check_endpoint_url: null,
  terms: null,
  user_default_internal_regex: null,
  whats_new_variant: 'all_tiers',
} as const

const lists = {
  asset_proxy_allowlist: [],
  disabled_oauth_sign_in_sources: [],
  elasticsearch_namespace_ids: [],
  elasticsearch_project_ids: [],
  repository_storages: ['default'],
} as const

/** The value of each before it was set. */
export const inertDefaults: Readonly<Record<string, unknown>> = { ...flags, ...numbers, ...texts, ...lists }

const KEPT = 'Kept for clients, without effect'
const schemaOf = (name: string, value: unknown): TSchema => {
  if (typeof value === 'boolean') return Type.Boolean({ description: KEPT })
  if (typeof value === 'number') return Type.Number({ description: KEPT })
  if (Array.isArray(value))
    return Type.Array(Type.Union([Type.String({ maxLength: 255 }), Type.Integer()]), { maxItems: 1_000, description: KEPT })
  const text = name.endsWith('_url') ? WebAddress({ maxLength: 2_048 }) : Type.String({ maxLength: 65_536 })
  return Type.Union([text, Type.Literal(''), Type.Null()], { description: `${KEPT}; null: none` })
}

/** The schema of each, by its name. */
export const inertSettings: Readonly<Record<string, TSchema>> = Object.fromEntries(
  Object.entries(inertDefaults).map(([name, value]) => [name, schemaOf(name, value)]),
)
