/** Epics, and what is in them, by the addresses of their pages. */
import { noteableEpic } from '../../planning/epics/item_kind/noteable.ts'
import { type EpicRow, visibleEpic, visibleEpicById } from '../../planning/epics/queries.ts'
import { type IssueRow, visibleIssuesById } from '../../planning/issues/queries.ts'
import { allows } from '../../platform/access/abilities.ts'
import { within } from '../../platform/kernel/declaration/scope.ts'
import { integer } from '../../platform/kernel/declaration/types.ts'
import { notFound } from '../../platform/kernel/errors.ts'
import { groupPath } from '../../spaces/groups/pages/place.ts'
import { inGroupPage } from '../../spaces/groups/pages/scope.ts'
import { groupSubject } from '../../spaces/groups/scope.ts'
import type { InItem } from '../items/comments.ts'
import type { GroupWithRole } from '../places/planning.ts'

/** The path of every page of an epic. */
export const EPIC = '/groups/:group_path/-/epics/:epic_iid'

/** What the scope of an epic's page gives. */
export interface InEpic extends InItem {
  readonly group: GroupWithRole
  readonly epic: EpicRow
}

/** `:epic_iid` becomes an epic of the group that this actor may see, or 404. */
export const inEpicPage = within(inGroupPage, {
  name: 'inEpicPage',
  path: { epic_iid: integer('Number of an epic within its group') },
  async load(ctx, { epic_iid }) {
    const epic = await visibleEpic(ctx.db, ctx.actor, ctx.group, epic_iid)
    // What hangs on an epic is for those who may read it, whatever ability a page names.
    if (!epic || allows(ctx.actor, 'read_epic', groupSubject(ctx.group)) !== 'yes') throw notFound('Epic')
    return { epic, noteable: noteableEpic(ctx, ctx.group, epic) }
  },
})

/** `:epic_issue_id` becomes an issue of the epic that the actor may see, or 404. */
export const inIssueOfEpicPage = within(inEpicPage, {
  name: 'inIssueOfEpicPage',
  path: { epic_issue_id: integer('ID of an issue of the epic') },
  async load({ db, actor, group, epic }, { epic_issue_id }): Promise<{ readonly issue: IssueRow }> {
    const issue = (await visibleIssuesById(db, actor, [epic_issue_id], group.full_path)).get(epic_issue_id)
    if (issue?.epic_id !== epic.id) throw notFound('Issue')
    return { issue }
  },
})

/** `:child_epic_id` becomes a child of the epic, or 404. */
export const inChildEpicPage = within(inEpicPage, {
  name: 'inChildEpicPage',
  path: { child_epic_id: integer('ID of a child of the epic') },
  async load({ db, actor, group, epic }, { child_epic_id }): Promise<{ readonly child: EpicRow }> {
    const child = await visibleEpicById(db, actor, child_epic_id, group.full_path)
    if (child?.parent_id !== epic.id) throw notFound('Epic')
    return { child }
  },
})

interface Addressed {
  readonly group: { readonly full_path: string }
  readonly epic: { readonly iid: number }
}

/** The path of an epic's page. Pure. */
export const epicPath = ({ group, epic }: Addressed, rest = ''): string => groupPath(group, `/-/epics/${epic.iid}${rest}`)
