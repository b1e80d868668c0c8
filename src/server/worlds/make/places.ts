/** What groups and projects have alike: members, labels, milestones. */
import { memberRoles, type WorldProject } from '../schema.ts'
import type { Maker } from './maker.ts'

/** A group or project that is being made. */
export interface Place {
  /** Where it is in the file. */
  readonly keys: readonly string[]
  /** In the API. */
  readonly url: string
  /** Who makes what has no author. */
  readonly owner: string
}

/** The last part of a path. */
export const endOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

export async function makeMembers(maker: Maker, { keys, url, owner }: Place, members: WorldProject['members'] = {}): Promise<void> {
  for (const [username, role] of Object.entries(members))
    await maker.step([...keys, 'members', username], undefined, async () => {
      const user_id = await maker.userId(username)
      return maker.do(owner, `POST ${url}/members`, { user_id, access_level: memberRoles[role] })
    })
}

/** The color of labels that have none of their own. */
const COLOR = '#428bca'

export async function makeLabels(maker: Maker, { keys, url, owner }: Place, labels: WorldProject['labels'] = []): Promise<void> {
  for (const [index, label] of labels.entries())
    await maker.step([...keys, 'labels', `[${index}]`], undefined, () => maker.do(owner, `POST ${url}/labels`, { color: COLOR, ...label }))
}

export async function makeMilestones(
  maker: Maker,
  { keys, url, owner }: Place,
  milestones: WorldProject['milestones'] = [],
): Promise<void> {
  for (const [index, { state = 'active', ...milestone }] of milestones.entries())
    await maker.step([...keys, 'milestones', `[${index}]`], undefined, async () => {
      const { id } = await maker.do(owner, `POST ${url}/milestones`, milestone)
      if (state === 'closed') await maker.do(owner, `PUT ${url}/milestones/${id}`, { state_event: 'close' })
    })
}
