/**
 * The things in the world: at least eight rows for every list, so that its query budget can be measured, and one known
 * id for every scope. All of it is made through the API. Who adds a resource adds a step.
 */

import { sql } from 'kysely'
import { digestOf } from '../../src/platform/kernel/secrets.ts'
import { writeMail } from '../../src/platform/mail/outbox.ts'
import { around } from './around.ts'
import { artifacts } from './artifacts.ts'
import { lfsExample, onePixel } from './bodies.ts'
import { pipelines, testedMergeRequests } from './ci.ts'
import { applications, deployments, keysAndEmails, oauthGrants, tokens } from './credentials.ts'
import { deploying } from './deployed.ts'
import { integrations } from './examples_of_integrations.ts'
import { setUpSaml } from './group_saml.ts'
import { images } from './images.ts'
import { make, rows } from './making.ts'
import { mergeRequests } from './merge_requests.ts'
import { migrations } from './migrations.ts'
import { packages } from './packages.ts'
import { epics, issues, planning, talk } from './planned.ts'
import { resourceGroups } from './resource_groups.ts'
import { runners } from './runners.ts'
import { running } from './running.ts'
import { snippets } from './snippets.ts'
import { drafts, talkOfOthers } from './talk.ts'
import type { Place, World } from './world.ts'

const steps: ((world: World) => Promise<void>)[] = [
  users,
  groupsAndProjects,
  members,
  accessRequests,
  customAttributes,
  shares,
  invitations,
  badges,
  hooks,
  integrations,
  topics,
  aliases,
  keysAndEmails,
  deployments,
  tokens,
  features,
  messages,
  failedJobs,
  mails,
  applications,
  oauthGrants,
  migrations,
  repositories,
  deploying,
  pipelines,
  resourceGroups,
  running,
  artifacts,
  packages,
  images,
  runners,
  planning,
  around,
  issues,
  talk,
  epics,
  mergeRequests,
  testedMergeRequests,
  talkOfOthers,
  snippets,
  drafts,
  provisioning,
  files,
  forks,
]

export async function furnish(world: World): Promise<void> {
  for (const step of steps) await step(world)
}

async function users({ scene, other, things }: World): Promise<void> {
  const banned = await scene.user()
  await make(scene.root, `/users/${banned.id}/ban`, {})
  things.banned_user = banned.id
  // Only signing up makes such an account.
  const waiting = await scene.user()
  await scene.deps.database.db.updateTable('users').set({ state: 'blocked_pending_approval' }).where('id', '=', waiting.id).execute()
  things.waiting_user = waiting.id
  await scene.root.put(`/users/${other.id}`, { provider: 'ldapmain', extern_uid: 'other' })
}

async function groupsAndProjects({ scene, places, people, other, things }: World): Promise<void> {
  things.other_group = (await scene.group({ path: 'other-group', owner: people.owner, visibility: 'public' })).group.id
  for (const [visibility, { group, things: here }] of Object.entries(places)) {
    for (const row of rows) {
      const parts = { path: `subgroup-${row}`, parent: group, owner: people.owner, visibility: visibility as 'private' | 'public' }
      const { group: below } = await scene.group(parts)
      here.marked_group = below.id
      here.marked_group_path = below.full_path
      await scene.project({ path: `${visibility}-${row}`, owner: other, visibility: visibility as 'private' | 'public' })
    }
    // As the instance marks it where it deletes after some days.
    const marked = scene.deps.database.db.updateTable('namespaces').set({ marked_for_deletion_on: '2020-01-01' })
    await marked.where('id', '=', here.marked_group as number).execute()
  }
}

async function members({ scene, places, other }: World): Promise<void> {
  for (const place of Object.values(places) as Place[]) {
    for (const _ of rows) {
      const person = await scene.user()
      const { id } = person
      await make(person, `/users/${other.id}/follow`, {})
      await make(other, `/users/${id}/follow`, {})
      await make(scene.root, `${place.project.url}/members`, { user_id: id, access_level: 20 })
      await make(person, `${place.project.url}/star`, {})
      await make(scene.root, `${place.group.url}/members`, { user_id: id, access_level: 10 })
      place.things.member = id
    }
  }
  for (const row of rows) {
    const { project } = await scene.project({ path: `shared-${row}` })
    await make(scene.root, `${project.url}/members`, { user_id: other.id, access_level: 20 })
    await make(other, `${project.url}/star`, {})
  }
}

/** Nobody can ask for access to what they cannot see, so these ask while it is open to them. */
async function accessRequests({ scene, places }: World): Promise<void> {
  for (const [visibility, place] of Object.entries(places) as [string, Place][]) {
    for (const url of [place.group.url, place.project.url]) await scene.root.put(url, { visibility: 'public' })
    for (const _ of rows) {
      const person = await scene.user()
      await make(person, `${place.project.url}/access_requests`, {})
      await make(person, `${place.group.url}/access_requests`, {})
      place.things.asking = person.id
    }
    for (const url of [place.project.url, place.group.url]) await scene.root.put(url, { visibility })
  }
}

async function invitations({ scene, places }: World): Promise<void> {
  const email = rows.map(row => `invited-${row}@example.com`).join(',')
  for (const { group, project } of Object.values(places))
    for (const { url } of [group, project]) await make(scene.root, `${url}/invitations`, { email, access_level: 30 })
}

async function topics({ scene, things }: World): Promise<void> {
  for (const row of rows) things.topic = (await make(scene.root, '/topics', { name: `topic ${row}` })).id
}

async function badges({ scene, places }: World): Promise<void> {
  const body = { link_url: 'https://ci.example.com/%{project_path}', image_url: 'https://ci.example.com/%{commit_sha}.svg' }
  for (const { group, project, things } of Object.values(places))
    for (const _ of rows) {
      things.group_badge = (await make(scene.root, `${group.url}/badges`, body)).id
      things.project_badge = (await make(scene.root, `${project.url}/badges`, body)).id
    }
}

async function hooks({ scene, places, things }: World): Promise<void> {
  const body = { url: 'https://ci.example.com/hook', token: 'secret' }
  for (const { group, project, things: here } of Object.values(places)) {
    for (const _ of rows) {
      here.group_hook = (await make(scene.root, `${group.url}/hooks`, body)).id
      here.project_hook = (await make(scene.root, `${project.url}/hooks`, body)).id
    }
    const sample = { trigger: 'push_events', request_data: '{}' }
    const sent = [here.group_hook, here.project_hook].flatMap(hook_id => rows.map(() => ({ ...sample, hook_id: hook_id as number })))
    const logged = await scene.deps.database.db.insertInto('hook_deliveries').values(sent).returning(['id', 'hook_id']).execute()
    here.group_hook_event = logged.findLast(({ hook_id }) => hook_id === here.group_hook)?.id as number
    here.project_hook_event = logged.findLast(({ hook_id }) => hook_id === here.project_hook)?.id as number
  }
  for (const _ of rows) things.system_hook = (await make(scene.root, '/hooks', body)).id
  for (const _ of rows) await make(scene.root, `/hooks/${things.system_hook}`, {})
  things.system_hook_event = (await scene.root.get(`/hooks/${things.system_hook}/events`)).body[0].id
}

async function customAttributes({ scene, places, other }: World): Promise<void> {
  const bearers = [`/users/${other.id}`, ...Object.values(places).flatMap(({ group, project }) => [group.url, project.url])]
  for (const bearer of bearers)
    for (const row of rows) await scene.root.put(`${bearer}/custom_attributes/key-${row}`, { value: `value ${row}` })
}

async function shares({ scene, places }: World): Promise<void> {
  for (const [visibility, { project, group, things }] of Object.entries(places)) {
    for (const row of rows) {
      await scene.project({ path: `inner-${row}`, group, visibility: visibility as 'private' | 'public' })
      const { project: guest } = await scene.project({ path: `guest-${row}`, visibility: visibility as 'private' | 'public' })
      await make(scene.root, `${guest.url}/share`, { group_id: group.id, group_access: 10 })
    }
    things.invited_group = (await scene.group({ visibility: 'public' })).group.id
    const share = { group_id: things.invited_group, group_access: 10 }
    for (const { url } of [project, group]) await make(scene.root, `${url}/share`, share)
  }
}

async function aliases({ scene, places }: World): Promise<void> {
  for (const row of rows) await make(scene.root, '/project_aliases', { project_id: places.public.project.id, name: `alias-${row}` })
}

/** A job that was given up, of a task that nobody does. */
async function failedJobs({ scene, things }: World): Promise<void> {
  const { db } = scene.deps.database
  const { rows } = await sql<{ id: number }>`select (graphile_worker.add_job('task_of_nobody', '{}'::json)).id::int as id`.execute(db)
  things.failed_job = rows[0]?.id as number
  await sql`update graphile_worker._private_jobs set attempts = 25, max_attempts = 25, last_error = 'failed' where id = ${things.failed_job}`.execute(
    db,
  )
}

/** Mails that are kept, since none are sent. */
async function mails({ scene, things }: World): Promise<void> {
  const parts = ['A mail.', { action: 'See it', url: `${scene.url}/explore` }]
  for (const row of rows) {
    const says = () => ({ subject: `mail ${row}`, parts, reason: 'An example.' })
    await scene.run(undefined, ctx => writeMail(ctx, { kind: 'example', to: { address: `mailed-${row}@example.com` }, says }))
  }
  const kept = await scene.deps.database.db.selectFrom('mails').select('id').orderBy('id', 'desc').executeTakeFirstOrThrow()
  things.kept_mail = kept.id
  await scene.deps.database.db
    .updateTable('invitations')
    .set({ digest: digestOf('example-invitation') })
    .where('email', '=', 'invited-1@example.com')
    .where('id', '=', ({ selectFrom }) =>
      selectFrom('invitations')
        .select(({ fn }) => fn.max('id').as('id'))
        .where('email', '=', 'invited-1@example.com'),
    )
    .execute()
}

async function messages({ scene, things }: World): Promise<void> {
  // Over: pages look as without them.
  const times = { starts_at: '2020-01-01T00:00:00Z', ends_at: '2020-01-02T00:00:00Z' }
  for (const row of rows) things.message = (await make(scene.root, '/broadcast_messages', { message: `message ${row}`, ...times })).id
}

async function features({ scene }: World): Promise<void> {
  for (const row of rows) await make(scene.root, `/features/example_${row}`, { value: true })
}

async function repositories({ scene, places }: World): Promise<void> {
  for (const { project, things } of Object.values(places)) {
    const path = `${project.url}/repository`
    const lines: string[] = []
    for (const row of rows) {
      lines.push(`Line ${row}\n`)
      const actions = [
        { action: row === 0 ? 'create' : 'update', file_path: 'README.md', content: lines.join('') },
        { action: 'create', file_path: `file-${row}.txt`, content: `${row}\n` },
        { action: 'create', file_path: `.gitlab/issue_templates/template-${row}.md`, content: `Template ${row}\n` },
      ]
      const author = { author_name: `Author ${row}`, author_email: `author-${row}@example.com` }
      await make(scene.root, `${path}/commits`, { branch: 'main', commit_message: `Commit ${row}`, actions, ...author })
    }
    await make(scene.root, `${path}/branches`, { branch: 'behind', ref: 'main' })
    const actions = rows.map(row => ({ action: 'update', file_path: `file-${row}.txt`, content: 'changed\n' }))
    things.commit = (await make(scene.root, `${path}/commits`, { branch: 'main', commit_message: 'Change all', actions })).id
    for (const row of rows) {
      await make(scene.root, `${path}/branches`, { branch: `topic-${row}`, ref: 'main' })
      await make(scene.root, `${path}/tags`, { tag_name: `v0.${row}`, ref: 'main' })
      await make(scene.root, `${project.url}/protected_branches`, { name: `stable-${row}` })
      await make(scene.root, `${project.url}/protected_tags`, { name: `final-${row}` })
    }
    const tree = await scene.root.get(`${path}/tree`)
    things.blob = tree.body.find((entry: { path: string }) => entry.path === 'README.md').id
  }
}

async function files({ scene, places, other, things: everywhere }: World): Promise<void> {
  const form = (name: string, filename: string, content: string) => {
    const body = new FormData()
    body.set(name, new Blob([Buffer.from(content, 'latin1')]), filename)
    return body
  }
  await scene.root.put('/application/appearance', form('logo', 'dot.gif', onePixel))
  await scene.root.put(`/users/${other.id}`, form('avatar', 'dot.gif', onePixel))
  await scene.root.put(`/topics/${everywhere.topic}`, form('avatar', 'dot.gif', onePixel))
  for (const { project, group, things } of Object.values(places)) {
    await scene.root.put(project.url, form('avatar', 'dot.gif', onePixel))
    await scene.root.put(group.url, form('avatar', 'dot.gif', onePixel))
    for (const _row of rows) {
      const { id, url } = await make(scene.root, `${project.url}/uploads`, form('file', 'notes.txt', 'notes'))
      Object.assign(things, { upload: id, upload_secret: url.split('/')[2] })
    }
    for (const place of [project, group]) {
      for (const row of rows) await make(scene.root, `${place.url}/wikis`, { title: `page ${row}`, content: 'See [[home]].' })
      await make(scene.root, `${place.url}/wikis`, { title: 'home', content: '[First](page-1)' })
    }
    const repository = `${scene.url}/${project.full_path}.git`
    const git = scene.as({ authorization: `Bearer ${scene.root.token}` })
    await git.request('PUT', `${repository}/gitlab-lfs/objects/${lfsExample.oid}/${lfsExample.size}`, { body: 'a' })
    for (const row of rows) await make(git, `${repository}/info/lfs/locks`, { path: `file-${row}.bin` })
    const { id } = await scene.deps.database.db
      .selectFrom('lfs_locks')
      .select('id')
      .where('project_id', '=', project.id)
      .executeTakeFirstOrThrow()
    things.lfs_lock = id
  }
}

async function provisioning({ scene, places }: World): Promise<void> {
  for (const [visibility, { group, project, things }] of Object.entries(places)) {
    await setUpSaml(scene.root, group)
    const { body } = await scene.root.post(`${group.url}/scim_token`)
    things.scim_token = body.token
    const provider = scene.as({ authorization: `Bearer ${body.token}` })
    for (const row of rows) {
      await make(provider, `${body.scim_url}/Users`, {
        externalId: `provisioned-${row}`,
        userName: `${visibility}.provisioned.${row}`,
        name: { formatted: `Provisioned ${row}` },
        emails: [{ type: 'work', value: `${visibility}.${row}@provider.example.com` }],
      })
    }
    const events = await scene.root.get(`${group.url}/audit_events`)
    things.audit_event = events.body[0].id
    things.project_audit_event = (await scene.root.get(`${project.url}/audit_events`)).body[0].id
  }
}

async function forks({ scene, places, other, things }: World): Promise<void> {
  things.upstream = (await scene.project({ owner: other, visibility: 'public' })).project.id
  for (const { project, group, things } of Object.values(places)) {
    for (const row of rows) {
      const fork = { namespace_id: group.id, path: `fork-${row}`, name: `Fork ${row}` }
      things.fork = (await make(scene.root, `${project.url}/fork`, fork)).id
    }
    things.marked_project = (await make(scene.root, '/projects', { name: 'Marked', namespace_id: group.id })).id
    // As the instance marks them where it deletes after some days.
    const marked = scene.deps.database.db.updateTable('projects').set({ marked_for_deletion_on: '2020-01-01', archived: true })
    await marked.where('id', '=', things.marked_project).execute()
  }
}
