/** How often a project is fetched (public project statistics API). */
import Type from 'typebox'
import { plain } from '../../platform/kernel/answer/entity.ts'
import { endpoint, one } from '../../platform/kernel/declaration/endpoint.ts'
import { Day, described, integer } from '../../platform/kernel/declaration/types.ts'
import { inProject } from '../../spaces/projects/scope.ts'
import { fetchesByDay } from './counts.ts'

const Fetches = plain(
  'ProjectFetches',
  Type.Object({
    fetches: described(
      'Clones and fetches of the repository over HTTP',
      Type.Object({
        total: integer('How many there were in the last 30 days'),
        days: described(
          'The days on which there were any, the latest first',
          Type.Array(Type.Object({ count: integer('How many there were'), date: Day('The day, in UTC') })),
        ),
      }),
    ),
  }),
)

export const getFetches = endpoint({
  route: 'GET /projects/:id/statistics',
  summary: 'Get how often a project was fetched in the last 30 days',
  scope: inProject,
  can: 'read_fetches',
  answers: one(Fetches),
  async run({ db, now, project }) {
    const days = await fetchesByDay(db, project.id, now)
    const total = days.reduce((sum, { count }) => sum + count, 0)
    return { fetches: { total, days: days.map(({ date, count }) => ({ count, date })) } }
  },
})
