/** Projects in lists. */

import { avatar } from '../../platform/pages/components/avatar.ts'
import { chip, visibilityChip } from '../../platform/pages/components/chip.ts'
import { icon } from '../../platform/pages/components/icon.ts'
import { time } from '../../platform/pages/components/time.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import { projectPath } from '../../spaces/projects/pages/place.ts'
import type { ProjectRow } from '../../spaces/projects/queries.ts'

/** A list of projects. */
export const projectList = (rows: readonly ProjectRow[]): Html => html`<ul class="list" data-list>${rows.map(projectItem)}</ul>`

/** One of them. */
export const projectItem = (project: ProjectRow): Html => html`
<li>${avatar(project, 32, 'square')}<div class="main"><div class="title"><a href="${projectPath(project)}"><span class="muted">${project.namespace_full_path} / </span>${project.name}</a> ${visibilityChip(project.visibility)}${project.archived && html` ${chip('Archived', 'attention')}`}</div>
${project.description && html`<div class="muted small">${project.description}</div>`}</div>
<div class="facts"><span title="Stars">${icon('star', 'Stars')} ${project.star_count}</span><span title="Forks">${icon('repo-forked', 'Forks')} ${project.forks_count}</span><span>Updated ${time(project.last_activity_at)}</span></div></li>`
