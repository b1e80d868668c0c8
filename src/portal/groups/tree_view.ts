/** What is in a group: its subgroups, which unfold where they stand, and its projects. */
import { avatar } from '../../platform/pages/components/avatar.ts'
import { visibilityChip } from '../../platform/pages/components/chip.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import { groupPath } from '../../spaces/groups/pages/place.ts'
import type { GroupRow } from '../../spaces/groups/queries.ts'
import type { ProjectRow } from '../../spaces/projects/queries.ts'
import { projectItem } from '../projects/list_view.ts'

/** Subgroups and projects of one group. */
export interface Children {
  readonly subgroups: readonly GroupRow[]
  readonly projects: readonly ProjectRow[]
  /** There are more than these. */
  readonly isCut: boolean
}

/** The name of the frame with what is in a group. */
export const childrenFrame = ({ id }: { readonly id: number }): string => `children-${id}`

/** A list of both. */
export const childrenView = (group: { readonly id: number; readonly full_path: string }, { subgroups, projects, isCut }: Children): Html =>
  subgroups.length + projects.length === 0
    ? html`<p class="muted small">Nothing that you may see.</p>`
    : html`<ul class="list" data-list>${subgroups.map(subgroupItem)}${projects.map(projectItem)}</ul>${isCut && html`<p><a href="${groupPath(group, '/-/children')}">All of them</a></p>`}`

/** A subgroup unfolds; its name leads to its page. */
const subgroupItem = (group: GroupRow): Html => html`
<li>${avatar(group, 32, 'square')}<div class="main"><div class="title"><a href="${groupPath(group)}">${group.name}</a> ${visibilityChip(group.visibility)}</div>${group.description && html`<div class="muted small">${group.description}</div>`}
<details class="branch"><summary class="small muted">Subgroups and projects<span class="sr-only"> of ${group.name}</span></summary><turbo-frame id="${childrenFrame(group)}" src="${groupPath(group, '/-/children')}" loading="lazy" target="_top"><p><a href="${groupPath(group)}">Show the group</a></p></turbo-frame></details></div></li>`
