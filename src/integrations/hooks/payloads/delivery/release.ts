/** The payload of releases (webhook events, 14.0). */

import { isExternal, releaseUrl, sourcesOf } from '../../../../delivery/releases/assets.ts'
import { linksOfRelease } from '../../../../delivery/releases/links/queries.ts'
import type { ReleaseRow } from '../../../../delivery/releases/queries.ts'
import { readCommit } from '../../../../platform/git/index.ts'
import type { Context } from '../../../../platform/kernel/context.ts'
import type { ProjectRow } from '../../../../spaces/projects/queries.ts'
import { findRepository } from '../../../../spaces/projects/repository/store.ts'
import { commitPart } from '../commit.ts'
import { projectPart } from '../project.ts'

/** Contract: these times are written with a space and their zone (webhook events). */
const spaced = (instant: string): string => new Date(instant).toISOString().replace(/T(.*)\.\d+Z$/, ' $1 UTC')

/** The payload of a created or changed release. */
export async function releasePayload(ctx: Context, project: ProjectRow, release: ReleaseRow, action: 'create' | 'update'): Promise<object> {
  const { url } = ctx
  const links = await linksOfRelease(ctx.db, release.id).execute()
  const sources = sourcesOf(url, project, release.tag)
  const repository = await findRepository(ctx.deps.storages, project)
  const commit = repository && release.sha !== null ? await readCommit(repository, release.sha) : undefined
  return {
    object_kind: 'release',
    id: release.id,
    created_at: spaced(release.created_at),
    description: release.description,
    name: release.name,
    released_at: spaced(release.released_at),
    tag: release.tag,
    project: projectPart(project, ctx),
    url: releaseUrl(url, project, release.tag),
    action,
    assets: {
      count: links.length + sources.length,
      links: links.map(link => ({
        id: link.id,
        external: isExternal(link.url, url),
        link_type: link.link_type,
        name: link.name,
        url: link.url,
      })),
      sources,
    },
    commit: commit && commitPart(commit, project, ctx),
  }
}
