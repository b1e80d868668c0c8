/** Epics as a kind of item (collaboration/item_kinds/item_kind.ts). */
import type { ItemKind } from '../../collaboration/item_kinds/item_kind.ts'
import type { Noteable } from '../../collaboration/notes/noteable.ts'
import { epicVisibleTo } from '../shared/epics.ts'
import { countEpicAward, countEpicNotes } from './counts.ts'
import { Epic } from './entity.ts'
import { epicsNamed, epicTables, visibleEpicsById } from './queries.ts'
import { epicTextPlace } from './readers.ts'
import { replaceLabelsOfEpics } from './relabel.ts'

export const epicKind: ItemKind = {
  ...epicTables,
  noun: 'epic',
  type: 'Epic',
  within: 'group',
  sigil: '&',
  from: 'epics join namespaces on namespaces.id = epics.namespace_id',
  address: /^groups\/(.+?)\/-\/epics\/(\d{1,15})(?:[/?#].*)?$/,
  resolvable: false,
  answer: {
    schema: Epic.schema,
    visibleById: ({ db, actor }, ids) => visibleEpicsById(db, actor, ids),
    load: Epic.load!,
    present: Epic.present,
  },
  pageOf: (path, iid) => `groups/${path}/-/epics/${iid}`,
  visible: actor => epicVisibleTo(actor),
  named: epicsNamed,
  textPlace: ({ group, epic }: Extract<Noteable, { type: 'Epic' }>) => epicTextPlace(group, epic),
  countNotes: countEpicNotes,
  countAward: countEpicAward,
  replaceLabels: replaceLabelsOfEpics,
}
