/** The abilities on what projects build and deliver: pipelines, jobs, releases, packages, deployments and feature flags. */
import { roles } from '../open_to.ts'
import type { Rule } from './rule.ts'

/** Deployments are built from the repository: without these features there are no environments. */
const deployed = { feature: 'operations', also: ['builds', 'repository'] } as const

/** Builds use the repository. */
const built = { feature: 'builds', also: ['repository'] } as const

export const deliveryRules = {
  // CI/CD
  read_pipeline: { on: 'project', role: roles.guest, public: 'anyone', ...built, ofJobs: true },
  read_job: { on: 'project', role: roles.guest, public: 'anyone', ...built, ofJobs: true },
  // Artifacts of jobs whose CI file sets `artifacts: public: false`.
  read_private_artifacts: { on: 'project', role: roles.developer, ...built },
  // Pipeline variables may be secret. Developers also see those of their own pipelines.
  read_pipeline_variable: { on: 'project', role: roles.maintainer, own: 'read_pipeline', ...built },
  create_pipeline: { on: 'project', role: roles.developer, ...built, changes: true },
  // Where the project restricts variables of users (`restrict_user_defined_variables`).
  set_restricted_variables: { on: 'project', role: roles.maintainer, ...built, changes: true },
  update_pipeline: { on: 'project', role: roles.developer, ...built, changes: true },
  destroy_pipeline: { on: 'project', role: roles.owner, ...built, changes: true },
  update_job: { on: 'project', role: roles.developer, ...built, changes: true },
  // The user that a job runs for may also erase it.
  erase_job: { on: 'project', role: roles.maintainer, own: 'read_job', ...built, changes: true },
  destroy_artifacts: { on: 'project', role: roles.maintainer, ...built, changes: true },
  create_commit_status: { on: 'project', role: roles.developer, feature: 'repository', changes: true },
  read_commit_status: { on: 'project', role: roles.reporter, public: 'anyone', feature: 'repository' },
  lint_ci: { on: 'project', role: roles.developer, ...built },
  read_pipeline_schedule: { on: 'project', role: roles.developer, ...built },
  create_pipeline_schedule: { on: 'project', role: roles.developer, ...built, changes: true },
  update_pipeline_schedule: { on: 'project', role: roles.maintainer, own: 'read_pipeline_schedule', ...built, changes: true },
  admin_triggers: { on: 'project', role: roles.maintainer, ...built },
  read_resource_group: { on: 'project', role: roles.reporter, ...built },
  update_resource_group: { on: 'project', role: roles.developer, ...built, changes: true },
  read_project_runners: { on: 'project', role: roles.maintainer, feature: 'builds' },
  admin_project_runners: { on: 'project', role: roles.maintainer, feature: 'builds' },
  read_cluster_agent: { on: 'project', role: roles.developer, feature: 'repository' },
  admin_cluster_agent: { on: 'project', role: roles.maintainer, feature: 'repository' },
  read_cluster: { on: 'project', role: roles.maintainer, ...deployed },
  admin_cluster: { on: 'project', role: roles.maintainer, ...deployed, changes: true },
  admin_variables: { on: 'project', role: roles.maintainer, feature: 'builds' },

  // Releases
  read_release: { on: 'project', role: roles.guest, public: 'anyone', feature: 'repository' },
  create_release: { on: 'project', role: roles.developer, feature: 'repository', changes: true },
  update_release: { on: 'project', role: roles.developer, feature: 'repository', changes: true },
  destroy_release: { on: 'project', role: roles.developer, feature: 'repository', changes: true },

  // Packages: where the project has them (`packages_enabled`), which the scopes say.
  read_package: { on: 'project', role: roles.reporter, public: 'anyone' },
  create_package: { on: 'project', role: roles.developer, changes: true },
  destroy_package: { on: 'project', role: roles.maintainer, changes: true },
  admin_package_protection: { on: 'project', role: roles.maintainer },
  // States hold passwords.
  read_terraform_state: { on: 'project', role: roles.developer },
  admin_terraform_state: { on: 'project', role: roles.maintainer, changes: true },

  // Images
  read_container_image: { on: 'project', role: roles.reporter, public: 'anyone', feature: 'container_registry' },
  create_container_image: { on: 'project', role: roles.developer, feature: 'container_registry', changes: true },
  destroy_container_image: { on: 'project', role: roles.developer, feature: 'container_registry', changes: true },
  // Contract: many tags, and whole repositories, are deleted by Maintainers (container registry API at 14.0).
  admin_container_image: { on: 'project', role: roles.maintainer, feature: 'container_registry', changes: true },
  admin_container_protection: { on: 'project', role: roles.maintainer },

  // Static sites. One that its project calls `public` is open to everyone, which its server knows.
  read_site: { on: 'project', role: roles.guest, public: 'anyone', feature: 'pages' },
  // Contract: domains belong to Maintainers, reading them included (Pages domains API).
  read_pages: { on: 'project', role: roles.maintainer },
  update_pages: { on: 'project', role: roles.maintainer, changes: true },
  remove_pages: { on: 'project', who: 'admin' },

  // Deployments. Contract: nobody reads environments without signing in (decision 9).
  read_environment: { on: 'project', role: roles.reporter, public: 'signed_in', ...deployed },
  read_deployment: { on: 'project', role: roles.reporter, public: 'signed_in', ...deployed },
  admin_deployment: { on: 'project', role: roles.developer, ...deployed, changes: true },
  destroy_deployment: { on: 'project', role: roles.maintainer, ...deployed, changes: true },
  admin_protected_environments: { on: 'project', role: roles.maintainer, ...deployed },
  read_freeze_period: { on: 'project', role: roles.reporter, ...deployed },
  admin_freeze_period: { on: 'project', role: roles.maintainer, ...deployed },
  // Contract: flags belong to Developers and above, reading them included (feature flags API).
  read_feature_flag: { on: 'project', role: roles.developer, feature: 'operations' },
  admin_feature_flag: { on: 'project', role: roles.developer, feature: 'operations', changes: true },
  admin_feature_flags_user_lists: { on: 'project', role: roles.developer, feature: 'operations' },
  admin_feature_flags_client: { on: 'project', role: roles.maintainer, feature: 'operations' },
  admin_environment: { on: 'project', role: roles.developer, ...deployed, changes: true },
} as const satisfies Record<string, Rule>
