/** The merge requests of the world: one with eight of everything, and eight more where lists are measured; elsewhere one. */
import { make, rows } from './making.ts'
import type { World } from './world.ts'

export async function mergeRequests({ scene, people, places }: World): Promise<void> {
  for (const [visibility, { project, things }] of Object.entries(places)) {
    const here = visibility === 'private' ? rows : [0]
    const commits = `${project.url}/repository/commits`
    const requests = `${project.url}/merge_requests`
    // Where the second merge requests of branches go, and what is proposed by the requests that are tried.
    for (const branch of ['landing', 'proposed']) await make(scene.root, `${project.url}/repository/branches`, { branch, ref: 'main' })
    // A commit that all merge requests have.
    const shared = [{ action: 'create', file_path: 'shared.txt', content: 'shared\n' }]
    const first = { branch: 'shared', start_branch: 'main', commit_message: 'Part of all', actions: shared }
    things.proposed_commit = (await make(scene.root, commits, first)).id
    const branchOff = async (branch: string, parts: readonly number[] = [0]) => {
      await make(scene.root, `${project.url}/repository/branches`, { branch, ref: 'shared' })
      for (const row of parts) {
        const actions = [{ action: 'create', file_path: `${branch}/${row}.txt`, content: `${row}\n` }]
        await make(scene.root, commits, { branch, commit_message: `Part ${row}`, actions })
      }
      return { source_branch: branch, target_branch: 'main' }
    }
    const members = await scene.root.get(`${project.url}/members/all?per_page=100`)
    const ids = members.body.map((member: { id: number }) => member.id)
    await make(people.developer, requests, {
      ...(await branchOff('feature-many', rows)),
      title: 'Merge request of many',
      description: `Closes ${rows.map(row => `#${row + 1}`).join(', ')}`,
      assignee_ids: ids,
      reviewer_ids: ids,
      labels: 'urgency:1,urgency:2',
      milestone_id: things.project_milestone,
    })
    for (const row of here) {
      const wanted = {
        ...(await branchOff(`feature-${row}`)),
        title: `Merge request ${row}`,
        description: 'Closes #1',
        assignee_ids: [people.maintainer.id],
      }
      things.merge_request = (await make(scene.root, requests, { ...wanted, milestone_id: things.project_milestone })).id
      await make(scene.root, requests, { ...wanted, target_branch: 'landing', milestone_id: things.group_milestone })
    }
    const parts = (await scene.root.get(commits, { ref_name: 'feature-many', per_page: '100' })).body
    const context = parts.slice(0, here.length).map((commit: { id: string }) => commit.id)
    await make(scene.root, `${requests}/1/context_commits`, { commits: context })
    const [version] = (await scene.root.get(`${requests}/1/versions`)).body
    const { id: _, ...again } = { ...version, real_size: here.length, commits_count: here.length }
    const versions = here.map(() => again)
    const added = await scene.deps.database.db.insertInto('merge_request_versions').values(versions).returning('id').execute()
    things.merge_request_version = added[0]!.id
    for (const row of here)
      things.approval_rule = (
        await make(scene.root, `${project.url}/approval_rules`, { name: `Rule ${row}`, approvals_required: 0, user_ids: ids })
      ).id
    for (const row of here)
      things.merge_request_rule = (
        await make(scene.root, `${project.url}/merge_requests/1/approval_rules`, {
          name: `Rule ${row}`,
          approvals_required: 0,
          user_ids: ids,
        })
      ).id
    // Authors may approve, so that a higher role may do no less; all of them have approved the second one.
    await make(scene.root, `${project.url}/approvals`, { merge_requests_author_approval: true })
    for (const person of [people.developer, people.maintainer, people.owner, scene.root]) await make(person, `${requests}/2/approve`, {})
    for (const row of here) await people.admin.put(`${requests}/1/viewed_files`, { path: `feature-many/${row}.txt` })
    // Without the commit that the others share: what is merged costs less to show than what is open.
    const alone = [{ action: 'create', file_path: 'delivered.txt', content: 'delivered\n' }]
    await make(scene.root, commits, { branch: 'delivered', start_branch: 'main', commit_message: 'Deliver', actions: alone })
    const delivered = { source_branch: 'delivered', target_branch: 'landing', title: 'Delivered' }
    things.merged_merge_request = (await make(scene.root, requests, delivered)).iid
    const { status } = await scene.root.put(`${requests}/${things.merged_merge_request}/merge`, {})
    if (status !== 200) throw new Error(`the merge was answered ${status}`)
  }
}
