/** Quick actions that set attributes of items of any kind; all actions of a text make one change. */
import { type Actions, change, type ItemChanges, type ItemTypes, type Target } from '../action.ts'
import { mayPlan, mayUpdate } from '../targets.ts'

const isIn = ({ noteable }: Target, state: 'opened' | 'closed'): boolean => noteable?.item.state === state

/** The actions of all items. */
export const attributeActions: Actions = {
  close: {
    may: target => mayUpdate(target) && isIn(target, 'opened'),
    do: () => change({ state_event: 'close' }),
  },
  reopen: {
    may: target => mayUpdate(target) && isIn(target, 'closed'),
    do: () => change({ state_event: 'reopen' }),
  },
  title: {
    may: mayUpdate,
    do: (_target, title) => (title === '' || title.length > 255 ? undefined : change({ title })),
  },
}

/** Items whose discussion can be locked. */
interface Lockable extends ItemTypes {
  readonly changes: ItemChanges & { readonly discussion_locked?: boolean | null | undefined }
}

/** The actions of items whose discussion can be locked. */
export const lockActions: Actions<Lockable> = {
  lock: { may: mayPlan, do: () => change({ discussion_locked: true }) },
  unlock: { may: mayPlan, do: () => change({ discussion_locked: false }) },
}
