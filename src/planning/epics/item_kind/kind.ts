/** Epics as an item kind (collaboration/item_kinds/item_kind.ts). */
import type { ItemKind } from '../../../collaboration/item_kinds/item_kind.ts'
import { epicVisibleTo } from '../../shared/epics.ts'
import { Epic } from '../entity.ts'
import { epicsNamed, epicTables, visibleEpicsById } from '../queries.ts'
import { countEpicAward, countEpicNotes } from './counts.ts'
import { epicApi, epicApiById, type NoteableEpic } from './noteable.ts'
import { epicWriting } from './quick_actions/with_quick_actions.ts'
import { epicTextPlace } from './readers.ts'
import { replaceLabelsOfEpics, replaceLabelsOfEpicsIn } from './relabel.ts'

export const epicKind: ItemKind = {
  ...epicTables,
  noun: 'epic',
  type: 'Epic',
  within: 'group',
  sigil: '&',
  from: 'epics join namespaces on namespaces.id = epics.namespace_id',
  address: /^groups\/(.+?)\/-\/epics\/(\d{1,15})(?:[/?#]|$)/,
  resolvable: false,
  answer: {
    schema: Epic.schema,
    visibleById: ({ db, actor }, ids) => visibleEpicsById(db, actor, ids),
    load: Epic.load!,
    present: Epic.present,
  },
  api: epicApi,
  notesApi: epicApiById,
  readInternal: 'read_internal_epic_note',
  facts: ['state', 'label'],
  writing: epicWriting,
  pageOf: (path, iid) => `groups/${path}/-/epics/${iid}`,
  visible: actor => epicVisibleTo(actor),
  named: epicsNamed,
  textPlace: ({ group, epic }: NoteableEpic) => epicTextPlace(group, epic),
  countNotes: countEpicNotes,
  countAward: countEpicAward,
  replaceLabels: replaceLabelsOfEpics,
  replaceLabelsIn: replaceLabelsOfEpicsIn,
}
