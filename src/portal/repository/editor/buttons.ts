/** The buttons of the pages of files that lead to forms which change them. */

import { mayPushSomewhere } from '../../../code/protected_branches/collaboration.ts'
import { allows } from '../../../platform/access/abilities.ts'
import { isValidShortName, type Repository, readRefs } from '../../../platform/git/index.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { icon } from '../../../platform/pages/components/icon.ts'
import { type Html, html } from '../../../platform/pages/html.ts'
import { projectPath } from '../../../spaces/projects/pages/place.ts'
import { type ProjectWithRole, projectSubject } from '../../../spaces/projects/scope.ts'
import { revisionPage } from '../addresses.ts'

/** How the caller may change files of a revision: on its branch, in a fork, or not. */
export type Editable = { readonly how: 'here'; readonly branch: string } | { readonly how: 'fork' } | undefined

/** How the caller may change the files at `ref`; only those of branches can be changed. */
export async function editableAt(ctx: Context, project: ProjectWithRole, repository: Repository, ref: string): Promise<Editable> {
  if (!ctx.actor.user) return undefined
  const branch = ref === 'HEAD' ? (project.default_branch ?? ref) : ref
  const [tip] = isValidShortName(branch) ? await readRefs(repository, [`refs/heads/${branch}`]) : []
  if (tip === undefined) return undefined
  if (await mayPushSomewhere(ctx, project)) return { how: 'here', branch }
  return allows(ctx.actor, 'fork_project', projectSubject(project)) === 'yes' ? { how: 'fork' } : undefined
}

const forkButton = (project: ProjectWithRole): Html =>
  html`<a class="btn btn-sm" href="${projectPath(project, '/-/forks/new')}" title="You may not push here. Change it in a fork of yours.">${icon('repo-forked')} Fork to edit</a>`

/** What can be done with a file. `isText`: it can be edited here. */
export function fileButtons(project: ProjectWithRole, editable: Editable, path: string, isText: boolean): Html | undefined {
  if (!editable) return undefined
  if (editable.how === 'fork') return forkButton(project)
  const to = (kind: 'edit' | 'replace' | 'rename' | 'delete') => revisionPage(project, kind, editable.branch, path)
  return html`${isText && html`<a class="btn btn-sm" href="${to('edit')}" data-hotkey="e">${icon('pencil')} Edit</a>`}<details class="menu"><summary class="btn btn-sm">Change ${icon('triangle-down')}</summary><div class="menu-items"><a href="${to('replace')}">${icon('upload')}Replace</a><a href="${to('rename')}">${icon('pencil')}Move or rename</a><a href="${to('delete')}">${icon('trash')}Delete</a></div></details>`
}

/** What can be added to a directory. */
export function directoryButtons(project: ProjectWithRole, editable: Editable, path: string): Html | undefined {
  if (!editable) return undefined
  if (editable.how === 'fork') return forkButton(project)
  return html`<a class="btn btn-sm" href="${revisionPage(project, 'new', editable.branch, path)}">${icon('plus')} New file</a><a class="btn btn-sm" href="${revisionPage(project, 'upload', editable.branch, path)}">${icon('upload')} Upload</a>`
}
