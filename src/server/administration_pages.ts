/** The pages of administration, part of the list of all pages (pages.ts). */
import * as adminMode from '../portal/admin/access/admin_mode.ts'
import * as adminApplications from '../portal/admin/access/applications.ts'
import * as adminAudit from '../portal/admin/access/audit.ts'
import * as adminDeployKeys from '../portal/admin/access/deploy_keys.ts'
import { systemHookPages } from '../portal/admin/access/hooks.ts'
import * as adminJobs from '../portal/admin/ci/jobs.ts'
import * as adminRunners from '../portal/admin/ci/runners.ts'
import * as admin from '../portal/admin/endpoints.ts'
import * as adminFeatures from '../portal/admin/instance/features.ts'
import * as adminLicences from '../portal/admin/instance/licences.ts'
import * as adminRateLimits from '../portal/admin/instance/rate_limits.ts'
import * as adminProfiles from '../portal/admin/people/profile.ts'
import * as adminUser from '../portal/admin/people/user.ts'
import * as adminUsers from '../portal/admin/people/users.ts'
import * as adminGroups from '../portal/admin/places/groups.ts'
import * as adminProjects from '../portal/admin/places/projects.ts'
import * as adminStorage from '../portal/admin/places/storage.ts'
import * as adminQueue from '../portal/admin/queue/endpoints.ts'
import * as adminMails from '../portal/admin/queue/mails.ts'
import { instanceSettings } from '../portal/admin/settings/endpoints.ts'
import { instanceIntegrationPages } from '../portal/integrations/endpoints.ts'

/** One line for each folder. */
export const administrationPages = [
  admin,
  adminMode,
  instanceSettings,
  adminGroups,
  adminProjects,
  adminStorage,
  adminRunners,
  adminJobs,
  adminFeatures,
  adminLicences,
  adminRateLimits,
  adminApplications,
  adminDeployKeys,
  systemHookPages,
  instanceIntegrationPages,
  adminAudit,
  adminQueue,
  adminMails,
  adminUsers,
  adminUser,
  adminProfiles,
] as const
