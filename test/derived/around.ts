/** What stands around pipelines in the world: releases with their links, schedules, trigger tokens. */
import { make, rows } from './making.ts'
import type { World } from './world.ts'

export async function around(world: World): Promise<void> {
  await releases(world)
  await starters(world)
}

/** What pipelines of the branch with the CI file are started by. */
async function starters({ scene, places }: World): Promise<void> {
  for (const { project, things } of Object.values(places)) {
    for (const row of rows) {
      const schedule = { description: `Schedule ${row}`, ref: 'ci', cron: '0 1 * * *' }
      things.schedule = (await make(scene.root, `${project.url}/pipeline_schedules`, schedule)).id
      const { id, token } = await make(scene.root, `${project.url}/triggers`, { description: `Trigger ${row}` })
      Object.assign(things, { trigger: id, trigger_token: token })
    }
    const variables = `${project.url}/pipeline_schedules/${things.schedule}/variables`
    for (const row of rows) await make(scene.root, variables, { key: `KEY_${row}`, value: 'value' })
    const ran = { project_id: project.id, schedule_id: things.schedule as number, ref: 'ci', sha: things.commit as string }
    await scene.deps.database.db
      .insertInto('pipelines')
      .values(rows.map(row => ({ ...ran, iid: 9_100 + row, source: 'schedule' as const, status: 'success' as const })))
      .execute()
  }
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
