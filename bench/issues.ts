/** Lists of issues among very many, and the making of issues. */
import { orders } from '../src/planning/shared/lists/orders.ts'
import type { Bench } from './bench.ts'
import type { IssueCreation } from './floor/issue_creation.ts'
import { startFloor } from './floor/start.ts'
import { asMember, type Prepared, type RequestCase, readRequest } from './requests.ts'
import type { IssueWorld } from './world/issues.ts'

/** As many connections as the machine of the targets has cores: the time of an answer is that of the work, not of waiting. */
const CONNECTIONS = 2

const listed = (name: string, path: (world: IssueWorld) => string): RequestCase => ({
  name,
  connections: CONNECTIONS,
  promise: { ratio: 0.6, p99: 50 },
  prepare: async bench => readRequest(bench, `/api/v4${path(await bench.issues())}`, asMember(bench)),
})

const ofProject = ({ bigProjectId }: IssueWorld) => `/projects/${bigProjectId}/issues`
const ofGroup = ({ groupId }: Pick<IssueWorld, 'groupId'>) => `/groups/${groupId}/issues`
const ofInstance = () => '/issues?scope=all'

const creation: RequestCase = {
  name: 'issue creation',
  connections: 16,
  promise: { requestsPerSecond: 500 },
  async prepare(bench: Bench): Promise<Prepared> {
    const { bigProjectId: projectId } = await bench.issues()
    const { deps, world } = bench
    const work: IssueCreation = {
      databaseUrl: deps.database.url,
      poolSize: deps.config.databasePoolSize,
      projectId,
      authorId: world.userId,
    }
    return {
      address: `/api/v4/projects/${projectId}/issues`,
      headers: { ...asMember(bench), 'content-type': 'application/json' },
      body: JSON.stringify({ title: 'New [<id>]', description: 'What happens, and what should happen instead' }),
      floor: () => startFloor('./issue_creation.ts', work),
    }
  },
}

export const issueCases: readonly RequestCase[] = [
  listed('issues of a project', ofProject),
  listed('issues of a group', ofGroup),
  listed('all issues', ofInstance),
  listed('issues, combined filters', world => {
    const { label, otherLabel, milestone, authorId } = world
    const query = { labels: label, milestone, author_id: String(authorId), 'not[labels]': otherLabel }
    return `${ofProject(world)}?${new URLSearchParams(query)}`
  }),
  listed('issues, labels that never go together', ({ label, otherLabel, ...world }) => `${ofGroup(world)}?labels=${label},${otherLabel}`),
  listed('all issues, labels that never go together', ({ label, otherLabel }) => `${ofInstance()}&labels=${label},${otherLabel}`),
  listed('all issues with a common label', ({ label }) => `${ofInstance()}&labels=${label}`),
  listed('all issues with a label, in a milestone', ({ label, milestone }) => `${ofInstance()}&labels=${label}&milestone=${milestone}`),
  listed('all issues of one type', () => `${ofInstance()}&issue_type=incident`),
  listed('issues of a project that are overdue', world => `${ofProject(world)}?due_date=overdue`),
  listed('issues, text search', world => `${ofProject(world)}?search=step+88`),
  listed('all issues, text search', () => `${ofInstance()}&search=Part+9972`),
  ...orders.flatMap(order => [
    listed(`issues of a project by ${order}`, world => `${ofProject(world)}?order_by=${order}`),
    listed(`issues of a group by ${order}`, world => `${ofGroup(world)}?order_by=${order}`),
    listed(`all issues by ${order}`, () => `${ofInstance()}&order_by=${order}`),
  ]),
  creation,
]
