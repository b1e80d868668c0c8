/** Groups in lists. */
import { avatar } from '../../platform/pages/components/avatar.ts'
import { visibilityChip } from '../../platform/pages/components/chip.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import { groupPath } from '../../spaces/groups/pages/place.ts'
import type { GroupRow } from '../../spaces/groups/queries.ts'

/** A list of groups. */
export const groupList = (rows: readonly GroupRow[]): Html =>
  html`<ul class="list" data-list>${rows.map(
    group =>
      html`<li>${avatar(group, 32, 'square')}<div class="main"><div class="title"><a href="${groupPath(group)}">${group.full_name}</a> ${visibilityChip(group.visibility)}</div>${group.description && html`<div class="muted small">${group.description}</div>`}</div></li>`,
  )}</ul>`
