/** Parts of views made of the smallest ones: a choice among a few, a select, a row of the list of any records. */
import type { ComponentChildren } from 'preact'
import { addressOf, choose, chosen } from '../route.ts'
import { idOf, type Kind, RecordLink } from './basics.tsx'

interface Choice {
  readonly value: string
  readonly label: string
}

interface Choosing {
  /** Of the choice in the address. */
  readonly name: string
  readonly label: string
  readonly choices: readonly Choice[]
}

/** A choice that the address keeps: each is a link. */
export const Tabs = ({ name, label, choices }: Choosing) => (
  <nav class="tabs" aria-label={label}>
    {choices.map(({ value, label: told }) => (
      <a
        key={value}
        href={addressOf({ [name]: value, open: undefined, page: undefined })}
        {...(chosen(name) === value && { 'aria-current': 'true' as const })}
      >
        {told}
      </a>
    ))}
  </nav>
)

/** The same as a menu. */
export const Select = ({ name, label, choices }: Choosing) => (
  <label class="select">
    <span>{label}</span>
    <select
      value={chosen(name)}
      onChange={(event) => choose({ [name]: event.currentTarget.value, page: undefined })}
    >
      {choices.map(({ value, label: told }) => (
        <option key={value} value={value} selected={value === chosen(name)}>
          {told}
        </option>
      ))}
    </select>
  </label>
)

/** A record in a list: its text as a link with what is told of it, what stands below, and a figure beside it. */
export const RecordRow = ({
  kind,
  id,
  text,
  below,
  figure,
  children,
}: {
  kind: Kind
  id: number
  text: string
  below?: ComponentChildren
  figure?: ComponentChildren
  children: ComponentChildren
}) => (
  <li class={chosen('open') === idOf(kind, id) ? 'row row-open' : 'row'}>
    <div class="row-main">
      <RecordLink kind={kind} id={id} class="row-text">
        {text}
      </RecordLink>
      <p class="meta">{children}</p>
      {below}
    </div>
    {figure !== undefined && <div class="row-figure">{figure}</div>}
  </li>
)

export const Card = ({
  title,
  aside,
  children,
}: {
  title: string
  aside?: ComponentChildren
  children: ComponentChildren
}) => (
  <section class="card" aria-label={title}>
    <div class="card-head">
      <h2>{title}</h2>
      {aside}
    </div>
    {children}
  </section>
)

/** From page to page of a list; nothing where there is one. */
export const Pages = ({ page, of }: { page: number; of: number }) =>
  of <= 1 ? null : (
    <nav class="pages" aria-label="Pages">
      {page > 1 && <a href={addressOf({ page: page - 1 })}>Before</a>}
      <span>
        {page} of {of}
      </span>
      {page < of && <a href={addressOf({ page: page + 1 })}>After</a>}
    </nav>
  )
