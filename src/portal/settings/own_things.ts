/** Pages of what belongs to oneself: a list, a form that adds, a button that removes, each by the API's own declaration. */
import type { Context } from '../../platform/kernel/context.ts'
import type { Endpoint } from '../../platform/kernel/declaration/endpoint.ts'
import type { FieldSpec } from '../../platform/pages/forms/fields.ts'
import type { Home } from '../things/homes.ts'
import { type Things, thingPages } from '../things/things.ts'
import { SETTINGS, settingsPlace } from './place.ts'

/** A kind of things; `Row` is what its API answers. */
export interface OwnThings<Row> extends Pick<Things<object, Row>, 'title' | 'icon' | 'purpose' | 'list' | 'row' | 'labelOf' | 'before'> {
  /** Below the settings, and the key of the tab. */
  readonly name: string
  readonly idOf: (row: Row) => number
  readonly remove: { readonly of: Endpoint; readonly idParam: string; readonly button: string; readonly notice: string }
  readonly add?: { readonly of: Endpoint; readonly fields: readonly FieldSpec[]; readonly title: string; readonly notice: string }
}

const home: Home<object> = {
  route: SETTINGS,
  noun: 'one’s own',
  pathOf: () => SETTINGS,
  placeOf: (_ctx: Context, current) => settingsPlace(current),
  may: () => true,
  inPage: api => api,
}

/** The endpoints of the pages of these things. */
export const ownThings = <Row>({
  name,
  add,
  remove: { idParam, ...remove },
  ...things
}: OwnThings<Row>): Readonly<Record<string, Endpoint>> =>
  thingPages<object, Row>({
    ...things,
    home,
    path: `/${name}`,
    key: name,
    id: idParam,
    remove: { ...remove, confirms: true },
    ...(add && { add: { ...add, fields: () => add.fields, confirms: true } }),
  })
