/**
 * Four weeks of a small team: a project with its history, issues on a board, merge requests with reviews, green and red pipelines, two releases.
 * Made through the API, each step on its day, so that people who look find what a team would have left. Deterministic for a given last day.
 */
import { type Answer, type Clients, type Clock, until } from '../../../worlds/clients.ts'
import * as files from './files.ts'
import { DemoRunner, type Failures } from './runner.ts'

/** The path of the group, by which it is seen whether the story was made before. */
export const TEAM = 'demo-team'

/** What the group says of itself until the story has come to its end. */
export const UNFINISHED = 'A small team’s month, which `ingot seed` has begun.'

const HOUR = 3_600_000
const DAY = 24 * HOUR

/** Days of the story. */
const LENGTH = 28

/** Who they are: an owner, a maintainer, two developers, a reporter. */
const [owner, maintainer, developer, newcomer, reporter] = ['demo-1', 'demo-2', 'demo-3', 'demo-4', 'demo-5'] as const

export const team = [owner, maintainer, developer, newcomer, reporter] as const

const PROJECT = `/projects/${encodeURIComponent(`${TEAM}/beacon`)}`

/** Tells the story, which ends on the day of `end`. */
export async function tell(clients: Clients, clock: Clock, end: Date): Promise<void> {
  const story = new Story(clients, clock, end)
  await story.found()
  await story.firstWeek()
  await story.secondWeek()
  await story.thirdWeek()
  await story.fourthWeek()
  await story.leave()
}

class Story {
  readonly #clients: Clients
  readonly #clock: Clock
  readonly #beginning: number
  #runner: DemoRunner | undefined

  constructor(clients: Clients, clock: Clock, end: Date) {
    this.#clients = clients
    this.#clock = clock
    this.#beginning = Date.UTC(end.getUTCFullYear(), end.getUTCMonth(), end.getUTCDate()) - LENGTH * DAY
  }

  /** Sets the clock: a day of the story, from 1, and an hour of it. */
  #at(day: number, hour: number): void {
    this.#clock.now = new Date(this.#beginning + (day - 1) * DAY + hour * HOUR)
  }

  #dateOf(day: number): string {
    return new Date(this.#beginning + (day - 1) * DAY).toISOString().slice(0, 10)
  }

  #do(who: string, route: string, body?: object): Promise<Answer> {
    return this.#clients.call(who, route, body)
  }

  #inProject(who: string, route: string, body?: object): Promise<Answer> {
    const [method, path] = route.split(' ')
    return this.#do(who, `${method} ${PROJECT}${path}`, body)
  }

  #issue(who: string, title: string, description: string, more: object = {}): Promise<Answer> {
    return this.#inProject(who, 'POST /issues', { title, description, ...more })
  }

  #comment(who: string, thing: string, body: string): Promise<Answer> {
    return this.#inProject(who, `POST /${thing}/notes`, { body })
  }

  /** Commits to a branch, which is made of `main` if it is new. */
  async #commit(who: string, branch: string, message: string, changed: files.Files, isNewBranch = false): Promise<Answer> {
    const tree: Answer[] = isNewBranch || branch === 'main' ? await this.#tree('main') : await this.#tree(branch)
    const known = new Set(tree.map(({ path }) => path))
    return this.#inProject(who, 'POST /repository/commits', {
      branch,
      ...(isNewBranch && { start_branch: 'main' }),
      commit_message: message,
      actions: Object.entries(changed).map(([file_path, content]) => ({
        action: known.has(file_path) ? 'update' : 'create',
        file_path,
        content,
      })),
    })
  }

  async #tree(ref: string): Promise<Answer[]> {
    const project = await this.#inProject(owner, 'GET ')
    return project.empty_repo
      ? []
      : this.#inProject(owner, `GET /repository/tree?recursive=true&per_page=100&ref=${encodeURIComponent(ref)}`)
  }

  /** Waits for the pipeline of a commit, and runs its jobs until only manual ones are left. */
  async #run(sha: string, failures: Failures = {}): Promise<Answer> {
    const pipeline = await until(async () => (await this.#inProject(owner, `GET /pipelines?sha=${sha}`))[0], `a pipeline of ${sha}`)
    return until(async () => {
      while (await this.#runner?.runOne(failures));
      const now = await this.#inProject(owner, `GET /pipelines/${pipeline.id}`)
      return ['success', 'failed', 'manual', 'skipped', 'canceled'].includes(now.status) ? now : undefined
    }, `the end of pipeline ${pipeline.id}`)
  }

  async #deploy(pipeline: Answer): Promise<void> {
    const jobs: Answer[] = await this.#inProject(maintainer, `GET /pipelines/${pipeline.id}/jobs`)
    const job = jobs.find(({ name }) => name === 'production')
    await this.#inProject(maintainer, `POST /jobs/${job.id}/play`)
    await until(async () => this.#runner?.runOne({}), 'the deployment')
  }

  /** Their addresses lead nowhere: no mail is written to them while the story goes on. */
  async #notify(level: 'disabled' | 'participating'): Promise<void> {
    for (const username of team) await this.#do(username, 'PUT /notification_settings', { level })
  }

  async found(): Promise<void> {
    this.#at(1, 9)
    await this.#notify('disabled')
    const group = await this.#do(owner, 'POST /groups', {
      path: TEAM,
      name: 'Demo Team',
      description: UNFINISHED,
      visibility: 'public',
    })
    for (const [username, access_level] of [
      [maintainer, 40],
      [developer, 30],
      [newcomer, 30],
      [reporter, 20],
    ] as const) {
      const [user] = await this.#do(owner, `GET /users?username=${username}`)
      await this.#do(owner, `POST /groups/${group.id}/members`, { user_id: user.id, access_level })
    }
    await this.#do(owner, 'POST /projects', {
      path: 'beacon',
      name: 'Beacon',
      namespace_id: group.id,
      description: 'Asks addresses whether they answer, and writes a page that says so.',
      visibility: 'public',
      // Runners of the instance would end the jobs in their own way.
      shared_runners_enabled: false,
    })
    for (const [name, color, description] of [
      ['bug', '#d9534f', 'Something does not work'],
      ['feature', '#428bca', 'Something new'],
      ['documentation', '#5cb85c', 'Words for people'],
      ['workflow::doing', '#f0ad4e', 'Is being worked on'],
      ['workflow::review', '#8e44ad', 'It waits for a review'],
    ] as const)
      await this.#do(owner, `POST /groups/${group.id}/labels`, { name, color, description })
    await this.#inProject(owner, 'POST /milestones', { title: '0.1', due_date: this.#dateOf(14), start_date: this.#dateOf(1) })
    await this.#inProject(owner, 'POST /milestones', { title: '0.2', due_date: this.#dateOf(35), start_date: this.#dateOf(15) })
    const { runners_token } = await this.#inProject(owner, 'GET ')
    this.#runner = await DemoRunner.register(this.#clients, this.#clock, runners_token)
  }

  async firstWeek(): Promise<void> {
    this.#at(1, 10)
    await this.#commit(owner, 'main', 'Begin Beacon', files.first)
    await this.#issue(maintainer, 'Run the tests for each push', 'A pipeline with:\n\n- [x] a build\n- [x] unit tests\n- [ ] lint', {
      labels: 'feature',
      milestone_id: await this.#milestone('0.1'),
      weight: 2,
    })
    this.#at(2, 11)
    await this.#issue(developer, 'Ask again before an address is called down', 'One lost packet is no outage. Three tries should do.', {
      labels: 'feature',
      milestone_id: await this.#milestone('0.1'),
      weight: 3,
    })
    await this.#issue(reporter, 'An address with `<` breaks the page', 'Try `node src/beacon.js "<b>"`: the page is bold from there on.', {
      labels: 'bug',
      milestone_id: await this.#milestone('0.1'),
      weight: 1,
    })
    await this.#board()
    this.#at(3, 15)
    const { id } = await this.#commit(maintainer, 'main', 'Add a pipeline\n\nCloses #1', files.pipeline)
    await this.#run(id)
    this.#at(4, 10)
    await this.#comment(developer, 'issues/2', `@${newcomer} do you know how long a retry may wait?`)
    this.#at(4, 11)
    await this.#comment(newcomer, 'issues/2', 'Not longer than the page takes to load for people: say 5 seconds in sum.')
  }

  async #board(): Promise<void> {
    const board = await this.#inProject(owner, 'POST /boards', { name: 'Development' })
    const labels: Answer[] = await this.#inProject(owner, 'GET /labels?search=workflow')
    for (const label of labels) await this.#inProject(owner, `POST /boards/${board.id}/lists`, { label_id: label.id })
  }

  async #milestone(title: string): Promise<number> {
    return (await this.#inProject(owner, `GET /milestones?title=${title}`))[0].id
  }

  async secondWeek(): Promise<void> {
    this.#at(8, 10)
    const assignee = await this.#assign(developer, 2, 'workflow::doing')
    const { id } = await this.#commit(developer, 'retries', 'Ask three times\n\nOne lost packet is no outage.', files.retries, true)
    const merge = await this.#inProject(developer, 'POST /merge_requests', {
      source_branch: 'retries',
      target_branch: 'main',
      title: 'Ask three times before an address is called down',
      description: 'An address is down only if three tries in a row fail.\n\nCloses #2',
      assignee_id: assignee,
      remove_source_branch: true,
    })
    await this.#run(id)
    this.#at(9, 9)
    await this.#thread(maintainer, merge.iid, 'src/probe.js', 'for (let left', 'Should the tries not wait a little between them?', [
      [developer, 'The network needs no rest between them, and the page would be slower. A pause can come with #5.'],
      [maintainer, 'Agreed.'],
    ])
    await this.#inProject(maintainer, `POST /merge_requests/${merge.iid}/approve`)
    this.#at(9, 14)
    await this.#merge(maintainer, merge.iid)
    this.#at(10, 10)
    await this.#assign(newcomer, 3, 'workflow::doing')
    const branch = await this.#commit(newcomer, 'escape-addresses', 'Escape addresses in the page', files.escapingTest, true)
    await this.#run(branch.id, { 'unit tests': 'not ok 2 - an address is text, whatever it holds' })
    this.#at(10, 13)
    const fix = await this.#inProject(newcomer, 'POST /merge_requests', {
      source_branch: 'escape-addresses',
      target_branch: 'main',
      title: 'Escape addresses in the page',
      description: 'The test came first, and failed as it should.\n\nCloses #3',
      remove_source_branch: true,
    })
    const mended = await this.#commit(newcomer, 'escape-addresses', 'Write addresses as text', files.escaping)
    await this.#run(mended.id)
    this.#at(11, 9)
    await this.#comment(reporter, `merge_requests/${fix.iid}`, 'Tried it with all the signs on my keyboard: works. :tada:')
    await this.#inProject(maintainer, `POST /merge_requests/${fix.iid}/approve`)
    const pipeline = await this.#merge(maintainer, fix.iid)
    this.#at(12, 11)
    await this.#deploy(pipeline)
    this.#at(12, 12)
    await this.#inProject(maintainer, 'POST /releases', {
      tag_name: 'v0.1.0',
      ref: 'main',
      name: 'Beacon 0.1',
      milestones: ['0.1'],
      description:
        'The first version that watches something.\n\n- Addresses are asked three times (!1)\n- Addresses are text in the page (!2)',
      assets: { links: [{ name: 'The page', url: 'https://beacon.example.com/' }] },
    })
    await this.#inProject(maintainer, `PUT /milestones/${await this.#milestone('0.1')}`, { state_event: 'close' })
  }

  /** Gives an issue to a person, with one more label; returns the person's id. */
  async #assign(who: string, iid: number, label: string): Promise<number> {
    const [user] = await this.#do(owner, `GET /users?username=${who}`)
    await this.#inProject(who, `PUT /issues/${iid}`, { assignee_ids: [user.id], add_labels: label })
    return user.id
  }

  /** Merges, waits for the pipeline of the target branch, and returns it. */
  async #merge(who: string, iid: number): Promise<Answer> {
    const { merge_commit_sha } = await until(async () => {
      const { merge_status } = await this.#inProject(who, `GET /merge_requests/${iid}`)
      return merge_status === 'can_be_merged' ? this.#inProject(who, `PUT /merge_requests/${iid}/merge`) : undefined
    }, `merge request ${iid} to be mergeable`)
    return this.#run(merge_commit_sha)
  }

  /** A thread on the first added line that begins so. */
  async #thread(
    who: string,
    iid: number,
    path: string,
    line: string,
    body: string,
    replies: readonly (readonly [who: string, body: string])[],
  ): Promise<Answer> {
    const { diff_refs, source_branch } = await this.#inProject(who, `GET /merge_requests/${iid}`)
    const file = await this.#inProject(who, `GET /repository/files/${encodeURIComponent(path)}?ref=${encodeURIComponent(source_branch)}`)
    const lines = Buffer.from(file.content, 'base64').toString('utf8').split('\n')
    const new_line = lines.findIndex(each => each.trim().startsWith(line)) + 1
    const thread = await this.#inProject(who, `POST /merge_requests/${iid}/discussions`, {
      body,
      position: { position_type: 'text', ...diff_refs, old_path: path, new_path: path, new_line },
    })
    for (const [other, text] of replies)
      await this.#inProject(other, `POST /merge_requests/${iid}/discussions/${thread.id}/notes`, { body: text })
    if (replies.length > 0) await this.#inProject(who, `PUT /merge_requests/${iid}/discussions/${thread.id}`, { resolved: true })
    return thread
  }

  async thirdWeek(): Promise<void> {
    this.#at(15, 10)
    const next = { milestone_id: await this.#milestone('0.2') }
    await this.#issue(reporter, 'Dark colors at night', 'The page is a lamp in the server room.', {
      labels: 'feature',
      weight: 2,
      ...next,
    })
    await this.#issue(
      developer,
      'Give up on addresses that never answer',
      'An address that takes the connection and says nothing holds the page for ever.',
      {
        labels: 'bug',
        weight: 3,
        due_date: this.#dateOf(30),
        ...next,
      },
    )
    await this.#issue(owner, 'Say how to run it every minute', 'With cron and with a pipeline schedule.', {
      labels: 'documentation',
      weight: 1,
      ...next,
    })
    await this.#issue(reporter, 'Mail when an address goes down', 'Not for each look: once when it goes, once when it is back.', {
      labels: 'feature',
    })
    this.#at(16, 11)
    await this.#assign(reporter, 4, 'workflow::doing')
    const dark = await this.#commit(newcomer, 'dark', 'Follow the colors of the system', files.darkMode, true)
    await this.#run(dark.id)
    this.#at(17, 9)
    const merge = await this.#inProject(newcomer, 'POST /merge_requests', {
      source_branch: 'dark',
      target_branch: 'main',
      title: 'Follow the colors of the system',
      description: 'Closes #4',
    })
    await this.#inProject(maintainer, `POST /merge_requests/${merge.iid}/approve`)
    this.#at(17, 16)
    const pipeline = await this.#merge(maintainer, merge.iid)
    this.#at(18, 10)
    await this.#deploy(pipeline)
    await this.#inProject(maintainer, 'POST /releases', {
      tag_name: 'v0.1.1',
      ref: 'main',
      name: 'Beacon 0.1.1',
      description: 'Dark at night (!3).',
    })
  }

  async fourthWeek(): Promise<void> {
    this.#at(22, 10)
    await this.#assign(developer, 5, 'workflow::review')
    const slow = await this.#commit(developer, 'slow-addresses', 'Give up after five seconds', files.slowAddresses, true)
    await this.#run(slow.id)
    const open = await this.#inProject(developer, 'POST /merge_requests', {
      source_branch: 'slow-addresses',
      target_branch: 'main',
      title: 'Give up on addresses that never answer',
      description: 'Closes #5',
      labels: 'bug',
    })
    this.#at(23, 11)
    await this.#thread(
      newcomer,
      open.iid,
      'src/probe.js',
      'const answer',
      'Five seconds for each try are fifteen in sum. Is that what #2 says?',
      [],
    )
    this.#at(24, 10)
    await this.#assign(owner, 6, 'workflow::doing')
    const docs = await this.#commit(owner, 'usage', 'Say how it is used', files.usage, true)
    await this.#inProject(owner, 'POST /merge_requests', {
      source_branch: 'usage',
      target_branch: 'main',
      title: 'Draft: Say how it is used',
      description: 'The schedule is missing yet.\n\nRelated to #6',
      labels: 'documentation',
    })
    await this.#run(docs.id)
    this.#at(26, 10)
    const broken = await this.#commit(maintainer, 'main', 'Keep the time of each answer', { 'src/times.js': 'export const times = []\n' })
    await this.#run(broken.id, { 'unit tests': "Error: Cannot find module 'node:sqlite'" })
    this.#at(27, 9)
    await this.#issue(maintainer, 'The pipeline of main is red', `Since ${broken.short_id}: the runner’s Node has no \`node:sqlite\`.`, {
      labels: 'bug',
    })
    await this.#comment(developer, 'issues/8', 'I am at it.')
  }

  /** Takes away what only the story needed. */
  async leave(): Promise<void> {
    await this.#runner?.remove()
    await this.#inProject(owner, 'PUT ', { shared_runners_enabled: true })
    await this.#notify('participating')
    await this.#do(owner, `PUT /groups/${TEAM}`, { description: 'A small team’s month, made by `ingot seed`.' })
  }
}
