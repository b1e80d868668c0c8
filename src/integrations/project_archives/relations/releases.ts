/** Releases, with their links and milestones. */

import type { Db } from '../../../platform/db/connection.ts'
import { anyOf } from '../../../platform/db/statements/any.ts'
import { insertRows, insertRowsWithIds } from '../../../platform/db/statements/insert_rows.ts'
import { isWebAddress } from '../../../platform/kernel/addresses/web_address.ts'
import { relationOf, timesOf } from '../../archives/importing/import.ts'
import { ArchiveRefused } from '../../archives/reading/refused.ts'
import { exportedMilestones, milestoneIdOf } from '../../archives/relations/milestones.ts'
import { byId } from '../../archives/relations/read.ts'
import type { ProjectImport } from '../importing/state.ts'

/** `releases.ndjson`. */
export async function* exportReleases(db: Db, projectId: number): AsyncGenerator<object> {
  const releases = await db.selectFrom('releases').selectAll().where('project_id', '=', projectId).orderBy('id').execute()
  const ids = releases.map(({ id }) => id)
  const links = byId(
    await db.selectFrom('release_links').selectAll().where('release_id', '=', anyOf(ids)).orderBy('id').execute(),
    'release_id',
  )
  const bonds = await db.selectFrom('release_milestones').selectAll().where('release_id', '=', anyOf(ids)).orderBy('milestone_id').execute()
  const milestones = await exportedMilestones(
    db,
    bonds.map(({ milestone_id }) => milestone_id),
  )
  const bondsOf = byId(bonds, 'release_id')
  for (const release of releases)
    yield {
      ...release,
      links: links(release.id),
      milestone_releases: bondsOf(release.id).map(({ milestone_id }) => ({
        milestone_id,
        release_id: release.id,
        milestone: milestones.get(milestone_id),
      })),
    }
}

const linkTypes = ['other', 'runbook', 'image', 'package'] as const

/** Reads `releases.ndjson`. */
export async function importReleases(state: ProjectImport): Promise<void> {
  const { db, project, people } = state
  for await (const row of relationOf(state, 'releases')) {
    const times = timesOf(state, row)
    const [release_id] = await insertRowsWithIds(db, 'releases', [
      {
        project_id: project.id,
        tag: row.text('tag', 1024),
        name: row.maybeText('name', 255) ?? null,
        description: row.maybeText('description') ?? null,
        sha: row.maybeCommit('sha') ?? null,
        author_id: people.maybeIdOf(row.maybeId('author_id')),
        released_at: row.maybeInstant('released_at') ?? times.created_at,
        ...times,
      },
    ])
    await insertRows(
      db,
      'release_links',
      row.rows('links').map(link => {
        const url = link.text('url', 2048)
        if (!isWebAddress(url)) throw new ArchiveRefused('releases: the URL of a link is not valid', 'releases')
        return {
          release_id: release_id as number,
          name: link.text('name', 255),
          url,
          filepath: link.maybeText('filepath', 255) ?? null,
          link_type: link.oneOf('link_type', linkTypes),
          ...timesOf(state, link),
        }
      }),
    )
    const milestones = new Set<number>()
    for (const bond of row.rows('milestone_releases')) {
      const id = await milestoneIdOf(state, bond.row('milestone'))
      if (id !== null) milestones.add(id)
    }
    await insertRows(
      db,
      'release_milestones',
      [...milestones].map(milestone_id => ({ release_id: release_id as number, milestone_id })),
    )
  }
}
