/** Contributions to a group by person. Pure. */
import { avatar, type Pictured } from '../../platform/pages/components/avatar.ts'
import { chart, type Shade } from '../../platform/pages/components/charts/chart.ts'
import { dataTable } from '../../platform/pages/components/table.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import { type Contribution, type ContributionColumn, contributionColumns } from './contributions.ts'

/** People whom the chart has room for. */
const MOST = 12

type Person = Pictured & { readonly username: string }

const drawn: readonly (readonly [ContributionColumn, Shade])[] = [
  ['pushes', 1],
  ['merge_requests_opened', 4],
  ['merge_requests_merged', 2],
  ['approvals', 6],
  ['issues_opened', 3],
  ['issues_closed', 5],
]

const titles = new Map(contributionColumns)

/** A chart of those who did most, and a table of everyone. */
export function contributionsView(rows: readonly Contribution[], people: ReadonlyMap<number, Person>): Html {
  const first = rows.slice(0, MOST)
  const nameOf = ({ author_id }: Contribution) => people.get(author_id)?.name ?? 'A deleted account'
  return html`<h2 class="sr-only">Chart</h2>${chart({
    id: 'contributions',
    title: 'Those who did most',
    says: 'Pushes, merge requests, approvals and issues of each person, on each other.',
    along: { names: first.map(nameOf) },
    alongName: 'Person',
    stacked: true,
    series: drawn.map(([column, shade]) => ({
      name: titles.get(column) ?? column,
      shade,
      look: 'bar',
      values: first.map(row => row[column]),
    })),
  })}
<section class="section"><h2>Everyone</h2>${dataTable({
    label: 'Contributions by person',
    rows,
    columns: [
      {
        title: 'Person',
        cell(row) {
          const person = people.get(row.author_id)
          return person
            ? html`<span class="row">${avatar(person, 20)}<a class="quiet" href="/${person.username}">${person.name}</a></span>`
            : nameOf(row)
        },
      },
      ...contributionColumns.map(([column, title]) => ({ title, cell: (row: Contribution) => row[column] })),
    ],
  })}</section>`
}
