/** What pages of environments and jobs say while deployments are frozen. */
import { zoneOf } from '../../ci/cron/time_zones.ts'
import { freezeOf } from '../../delivery/freeze_periods/frozen.ts'
import { allows } from '../../platform/access/abilities.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { icon } from '../../platform/pages/components/icon.ts'
import { time, zonedTime } from '../../platform/pages/components/time.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import { projectPath } from '../../spaces/projects/pages/place.ts'
import { type ProjectWithRole, projectSubject } from '../../spaces/projects/scope.ts'

/** Where freezes are managed, below the project. */
export const FREEZES = '/-/settings/freeze_periods'

/** A notice while the project is in a freeze, for callers who may know; undefined otherwise. One statement. */
export async function freezeNotice({ db, actor, now }: Context, project: ProjectWithRole): Promise<Html | undefined> {
  const subject = projectSubject(project)
  if (allows(actor, 'read_freeze_period', subject) !== 'yes') return undefined
  const freeze = await freezeOf(db, project.id, now)
  if (!freeze) return undefined
  const { period, until } = freeze
  const zone = zoneOf(period.cron_timezone) ?? 'UTC'
  const link =
    allows(actor, 'admin_freeze_period', subject) === 'yes' && html` <a href="${projectPath(project, FREEZES)}">See the freezes</a>`
  return html`<div class="notice attention">${icon('stopwatch')}<span>Deployments are frozen until ${zonedTime(until, zone)} ${period.cron_timezone} (${time(until)}): jobs get <code>CI_DEPLOY_FREEZE</code>, and those whose rules ask for it are not in the pipelines that are made now.${link}</span></div>`
}
