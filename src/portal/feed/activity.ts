/** What was done, on pages: the lists of the events API with the projects where it happened. */

import type { Context } from '../../platform/kernel/context.ts'
import type { Endpoint } from '../../platform/kernel/declaration/endpoint.ts'
import { answerOf } from '../../platform/pages/answers.ts'
import { empty } from '../../platform/pages/components/empty.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import { projectsById } from '../../spaces/projects/queries.ts'
import { activityList } from './activity_view.ts'

/**
 * A page of a list of events. The caller has checked the ability that the declaration names; `ctx` has the subjects of its scope.
 * @param says what is shown where there are none
 */
export async function activityOf(ctx: Context, list: Endpoint, params: Readonly<Record<string, unknown>>, says: string): Promise<Html> {
  const { rows, links } = await answerOf(ctx, list, params)
  if (rows.length === 0) return empty({ icon: 'pulse', title: 'No activity to show', says })
  const places = await projectsById(ctx.db, [...new Set(rows.map(({ project_id }) => project_id as number))])
  return html`${activityList(rows, places)}${links}`
}
