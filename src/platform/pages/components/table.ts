/**
 * A table of things with what is known of each. Where there is no room for its columns, its rows stand below each other, each value beside the
 * name of its column (`data-label`). The roles are said, since a browser forgets them where rows are no rows of a table to its style sheet.
 */
import { type Html, html } from '../html.ts'

type Cell = Html | string | number | false | undefined

export interface TableColumn<Row> {
  readonly title: string
  /** What stands above the column in place of its title. */
  readonly head?: Html
  readonly cell: (row: Row) => Cell
  /** Of the column's cells. */
  readonly className?: string
  /** The rows are in its order. */
  readonly sort?: 'ascending' | 'descending'
}

export interface Table<Row> {
  /** What the table is, for those who hear it. */
  readonly label: string
  /** The first one names the rows. Those that are false are not shown. */
  readonly columns: readonly (TableColumn<Row> | false)[]
  readonly rows: readonly Row[]
  readonly className?: string
}

/** Shows a table. */
export function dataTable<Row>({ label, columns, rows, className }: Table<Row>): Html {
  const [first, ...others] = columns.filter(column => column !== false)
  if (!first) throw new Error(`the table ${label} has no column`)
  const classOf = (column: TableColumn<Row>) => column.className !== undefined && html` class="${column.className}"`
  const head = (column: TableColumn<Row>) =>
    html`<th scope="col" role="columnheader"${classOf(column)}${column.sort !== undefined && html` aria-sort="${column.sort}"`}>${column.head ?? column.title}</th>`
  const cell = (column: TableColumn<Row>, row: Row) =>
    html`<td role="cell" data-label="${column.title}"${classOf(column)}><div>${column.cell(row)}</div></td>`
  return html`<div class="scroll data-table" tabindex="0" role="region" aria-label="${label}"><table class="data${className !== undefined && ` ${className}`}" role="table"><thead role="rowgroup"><tr role="row">${[first, ...others].map(head)}</tr></thead><tbody role="rowgroup">${rows.map(
    row =>
      html`<tr role="row"><th scope="row" role="rowheader"${classOf(first)}>${first.cell(row)}</th>${others.map(column => cell(column, row))}</tr>`,
  )}</tbody></table></div>`
}
