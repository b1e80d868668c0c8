/** Custom attributes as JSON: alone, and inside their bearers (decision 52: only for administrators who ask). */
import type { TObject, TProperties } from 'typebox'
import Type from 'typebox'
import { isAdmin } from '../../platform/access/actor.ts'
import { type Choice, choice, entity, plain } from '../../platform/kernel/answer/entity.ts'
import type { Shown } from '../../platform/kernel/declaration/endpoint.ts'
import { described, text } from '../../platform/kernel/declaration/types.ts'
import { type BearerColumn, type CustomAttributeRow, customAttributesIn } from './queries.ts'

const schema = Type.Object({ key: text('Name of the attribute'), value: text('Value of the attribute') })

export const CustomAttribute = plain('CustomAttribute', schema)

interface Identified {
  readonly id: number
}

type Size<Row> = Choice<Row>['sizes'][number]

/** The extended form of each entity: several choices may share a variant. */
const known = new Map<unknown, unknown>()

/** An entity with `custom_attributes` in addition to its own fields; they cost one statement per page. */
function extended<Row extends Identified>(column: BearerColumn, size: Size<Row>): Size<Row> {
  const larger = (known.get(size) as Size<Row> | undefined) ?? extend(column, size)
  known.set(size, larger)
  return larger
}

const extend = <Row extends Identified>(column: BearerColumn, size: Size<Row>) =>
  entity({
    name: `${size.name}WithCustomAttributes`,
    schema: Type.Object({
      ...(size.schema as TObject<TProperties>).properties,
      custom_attributes: described('Custom attributes; for administrators who ask for them', Type.Array(schema)),
    }),
    load: async (ctx, rows: readonly Row[]) => ({
      own: await size.load?.(ctx, rows),
      attributes: await customAttributesIn(
        ctx.db,
        column,
        rows.map(row => row.id),
      ),
    }),
    present: (row: Row, { own, attributes }: { own: unknown; attributes: Map<number, CustomAttributeRow[]> }, facts) => ({
      ...(size.present(row, own, facts) as object),
      custom_attributes: attributes.get(row.id) ?? [],
    }),
  })

/**
 * The given entity, or the same with custom attributes for administrators who send `with_custom_attributes`. For other callers the
 * parameter does not exist (decision 48).
 * @param column the column that refers to the rows' kind
 */
export function orWithCustomAttributes<Row extends Identified>(column: BearerColumn, shown: Shown<Row>): Choice<Row> {
  const { sizes, pick }: Choice<Row> = 'sizes' in shown ? shown : choice([shown], () => shown)
  const larger = new Map(sizes.map(size => [size, extended(column, size)]))
  return choice([...sizes, ...larger.values()], (facts, params) => {
    const size = pick(facts, params)
    return params.with_custom_attributes && isAdmin(facts.actor) ? (larger.get(size) ?? size) : size
  })
}
