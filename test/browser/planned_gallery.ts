/** What is planned in the furnished world: a group with labels, iterations, and epics over time. */
import { make } from '../derived/making.ts'
import type { World } from '../derived/world.ts'
import type { Shown } from './gallery.ts'

const DAY = 86_400_000

/** The day so many days from today. */
const day = (from: number): string => new Date(Date.now() + from * DAY).toISOString().slice(0, 10)

/** An epic that begins and ends on days of its own. */
const fixed = (start: number | null, due: number | null) => ({
  start_date_is_fixed: true,
  start_date_fixed: start === null ? null : day(start),
  due_date_is_fixed: true,
  due_date_fixed: due === null ? null : day(due),
})

/** Furnishes a group; its pages of planning. */
export async function furnishPlanning({ scene, people }: World): Promise<Shown[]> {
  const { owner } = people
  const { group } = await scene.group({ owner, path: 'harbour', name: 'Harbour', visibility: 'public' })
  const { project } = await scene.project({ group, owner, path: 'crane', name: 'Crane', visibility: 'public' })
  const labels = [
    ['cranes', '#0969da', 'What lifts'],
    ['docks', '#8250df', 'What holds the water off'],
    ['white', '#ffffff', 'As the ground'],
    [
      'a label with quite a long name that goes on until it must break somewhere',
      '#1a7f64',
      'It says much too, more than a line of a window holds',
    ],
  ]
  for (const [name, color, description] of labels) await make(owner, `${group.url}/labels`, { name, color, description })
  for (const [priority, name] of ['bug', 'urgency::high'].entries())
    await make(owner, `${project.url}/labels`, { name, color: '#cf222e', priority })
  await make(owner, `${group.url}/milestones`, { title: 'Foundations', start_date: day(-40), due_date: day(20) })
  const iteration = await make(owner, `${group.url}/iterations`, { title: 'Spring tide', start_date: day(-5), due_date: day(9) })
  const epic = (title: string, more: object = {}) => make(owner, `${group.url}/epics`, { title, ...more })
  const whole = await epic('Rebuild the harbour', {
    labels: 'cranes,docks',
    description:
      'The old one is too small.\n\n- [x] measure the basin\n- [ ] order the steel\n\nSee ~cranes, %Foundations and *iteration:"Spring tide".',
    ...fixed(-60, 200),
  })
  const part = await epic('Raise the cranes', { parent_id: whole.id, ...fixed(-10, 60) })
  await epic('Bolt the first one down', { parent_id: part.id, ...fixed(0, 30) })
  await epic('Lights', fixed(10, null))
  await epic('Write down how all of it works, with pictures of each part, for everybody who comes here', {
    confidential: true,
    ...fixed(null, 90),
  })
  await epic('Some day')
  for (const [index, title] of ['Measure the depth', 'Weld the rails', 'Test the load'].entries()) {
    const issue = await make(owner, `${project.url}/issues`, { title, epic_id: index === 0 ? whole.id : part.id, weight: index + 1 })
    await owner.post(`${project.url}/issues/${issue.iid}/notes`, { body: `/iteration *iteration:${iteration.id}` })
    if (index === 1) await owner.put(`${project.url}/issues/${issue.iid}`, { state_event: 'close' })
  }
  await make(owner, `${group.url}/epics/${whole.id}/discussions`, { body: 'Who orders the steel?' })
  const inGroup = (rest: string): Shown => ({ title: `harbour${rest}`, address: `/groups/${group.full_path}/-/${rest}`, viewer: 'owner' })
  return [
    ...['labels', 'iterations?state=all', `iterations/${iteration.id}`, 'epics', 'epics/1', 'roadmap', 'roadmap?scale=weeks'].map(inGroup),
    { title: 'crane: labels', address: `/${project.full_path}/-/labels`, viewer: 'owner' },
  ]
}
