/** The payload of wiki pages (webhook events, 14.0). */

import { storedSide } from '../../../code/side_repositories/side_repository.ts'
import { wikiPath } from '../../../collaboration/wikis/links.ts'
import { HOME } from '../../../collaboration/wikis/names.ts'
import { contentAt } from '../../../collaboration/wikis/queries.ts'
import { wikiKeyOf } from '../../../collaboration/wikis/repository.ts'
import type { UserRow } from '../../../identity/users/queries.ts'
import type { WikiPageEvent } from '../../../platform/events/catalog.ts'
import { defaultBranchOf } from '../../../platform/git/index.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import type { GroupRow } from '../../../spaces/groups/queries.ts'
import type { ProjectRow } from '../../../spaces/projects/queries.ts'
import { projectPart, userPart } from './project.ts'

export type WikiPageAction = 'create' | 'update' | 'delete'

/** Whose wiki it is. */
export type WikiOf = { readonly project: ProjectRow } | { readonly group: GroupRow }

/** The payload of a page that was written, changed or deleted; undefined if its text is not to be had any more. */
export async function wikiPagePayload(
  ctx: Context,
  of: WikiOf,
  { slug, title, format, path, at, message }: WikiPageEvent,
  user: UserRow | undefined,
  action: WikiPageAction,
): Promise<object | undefined> {
  const { url, sshUrl, deps } = ctx
  const repository = await storedSide(deps.storages, wikiKeyOf(of))
  const content = repository && (await contentAt(repository, at, path))
  if (content === undefined) return undefined
  const full_path = 'project' in of ? of.project.full_path : of.group.full_path
  const base = `${url}/${'project' in of ? '' : 'groups/'}${full_path}/-/wikis`
  return {
    object_kind: 'wiki_page',
    user: userPart(user, ctx),
    ...('project' in of
      ? { project: projectPart(of.project, ctx) }
      : { group: { group_id: of.group.id, name: of.group.name, path: of.group.path, full_path } }),
    wiki: {
      web_url: wikiPath(base, HOME),
      git_ssh_url: `${sshUrl}${full_path}.wiki.git`,
      git_http_url: `${url}/${full_path}.wiki.git`,
      path_with_namespace: `${full_path}.wiki`,
      default_branch: repository && (await defaultBranchOf(repository)),
    },
    object_attributes: { slug, title, format, message, content, url: wikiPath(base, slug), action },
  }
}
