/** What stands around pipelines in the world: releases with their links. */
import { make, rows } from './making.ts'
import type { World } from './world.ts'

export async function around(world: World): Promise<void> {
  await releases(world)
}

async function releases({ scene, places }: World): Promise<void> {
  for (const [visibility, { project, things }] of Object.entries(places)) {
    const few = visibility === 'public' ? rows.slice(0, 2) : rows
    for (const row of few) {
      const milestones = row === 1 ? [] : [await titleOf(scene.root, `${project.url}/milestones/${things.project_milestone}`)]
      await make(scene.root, `${project.url}/releases`, { tag_name: `v0.${row}`, milestones, description: `Release ${row}` })
    }
    const links = `${project.url}/releases/v0.1/assets/links`
    for (const row of few) {
      const link = { name: `Link ${row}`, url: `https://example.com/${row}`, filepath: `/bin/linux${row || ''}` }
      things.release_link = (await make(scene.root, links, link)).id
    }
    const { id } = await scene.deps.database.db
      .selectFrom('releases')
      .select('id')
      .where('project_id', '=', project.id)
      .where('tag', '=', 'v0.1')
      .executeTakeFirstOrThrow()
    const evidence = {
      release_id: id,
      sha: 'a'.repeat(64),
      summary: JSON.stringify({ release: { id } }),
      collected_at: '2021-06-01T00:00:00Z',
    }
    const made = await scene.deps.database.db.insertInto('release_evidences').values(evidence).returning('id').executeTakeFirstOrThrow()
    things.evidence = made.id
  }
}

async function titleOf(client: World['scene']['root'], path: string): Promise<string> {
  return (await client.get(path)).body.title
}
