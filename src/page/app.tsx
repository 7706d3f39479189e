/** The frame of the page: its views to choose from, the daemon's state, and the record that is open. */
import type { ComponentType } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { brain, lost, signedIn } from './api.ts'
import { Code } from './parts/basics.tsx'
import { Notices, Questions } from './parts/notices.tsx'
import { overview } from './project.ts'
import { RecordPanel } from './record/panel.tsx'
import { type View, view } from './route.ts'
import { refusal, retry, signOut } from './session.ts'
import { viewNames } from './view-names.ts'
import { Beliefs } from './views/beliefs.tsx'
import { Dreams } from './views/dreams.tsx'
import { Duplicates } from './views/duplicates.tsx'
import { Predictions } from './views/predictions.tsx'
import { Search } from './views/search.tsx'
import { State } from './views/state.tsx'
import { Timeline } from './views/timeline.tsx'
import { Warnings } from './views/warnings.tsx'

interface Shown {
  readonly title: string
  readonly icon: string
  readonly content: ComponentType
}

const shown: Readonly<Record<View, Shown>> = {
  search: { title: 'Search', icon: 'M7 2a5 5 0 1 1 0 10A5 5 0 0 1 7 2m3.6 8.6L14 14', content: Search },
  timeline: { title: 'Timeline', icon: 'M2 4h2m2 0h8M2 8h2m2 0h8M2 12h2m2 0h8', content: Timeline },
  beliefs: { title: 'Beliefs', icon: 'M2 3h12M2 13h12M2 9l3-2 3 2 3-4 3 1', content: Beliefs },
  predictions: { title: 'Predictions', icon: 'M2 2v12h12M4 12 13 4M6 8v4m4-7v4', content: Predictions },
  dreams: { title: 'Dreams', icon: 'M13.5 10A6 6 0 1 1 7 2.5a5 5 0 0 0 6.500 7.500', content: Dreams },
  warnings: { title: 'Warnings', icon: 'M8 2 1.500 13.500h13zM8 6.500v3.500m0 1.500v.5', content: Warnings },
  duplicates: { title: 'Duplicates', icon: 'M2 2h8v8H2zM6 10v4h8V6h-4', content: Duplicates },
  state: { title: 'State', icon: 'M1.500 9h3l2-6 3 10 2-4h3', content: State },
}

/** The number of unread dreams follows their name, for the eye and for the ear. */
function Waiting({ of }: { of: View }) {
  const unread = of === 'dreams' ? (overview.value?.counts.unread_dreams ?? 0) : 0
  return unread === 0 ? null : (
    <span class="waiting">
      {unread}
      <span class="unseen"> unread</span>
    </span>
  )
}

function Navigation() {
  const list = useRef<HTMLElement>(null)
  const current = view.value
  // On a phone the list is wider than the screen.
  useEffect(() => {
    const link = list.current?.querySelector<HTMLElement>('[aria-current]')
    if (link) list.current?.scrollTo({ left: link.offsetLeft - 40 })
  }, [current])
  return (
    <nav aria-label="Views" ref={list}>
      {viewNames.map((name) => (
        <a key={name} href={`#/${name}`} {...(view.value === name && { 'aria-current': 'page' as const })}>
          <svg viewBox="0 0 16 16" aria-hidden="true">
            <path d={shown[name].icon} />
          </svg>
          {shown[name].title}
          <Waiting of={name} />
        </a>
      ))}
    </nav>
  )
}

const Away = () => (
  <div class="away" role="alert">
    <span>
      <b>The daemon does not answer.</b> What you see may be out of date. Trying again by itself; start it
      with <Code>brain serve</Code>.
    </span>
    <button type="button" onClick={() => void retry()}>
      Try now
    </button>
  </div>
)

const SignedOut = () => (
  <main class="signed-out" id="content">
    <h1>Not signed in</h1>
    {refusal !== '' && (
      <p class="trouble" role="alert">
        {refusal}
      </p>
    )}
    <p>
      This page shows what a brain keeps, to whoever can use the brain’s files. In the brain’s directory, run
    </p>
    <pre>brain open</pre>
    <p class="muted">
      It opens this page with a link that works once, for a minute. You stay signed in for twelve hours, until
      the key it made is revoked, or until the daemon ends.
    </p>
  </main>
)

export function App() {
  const { title, content: Content } = shown[view.value]
  const heading = useRef<HTMLHeadingElement>(null)
  const first = useRef(true)
  const project = overview.value?.project
  useEffect(() => {
    document.title = [title, brain.value, 'brain'].filter(Boolean).join(' · ')
  }, [title, brain.value])
  useEffect(() => {
    // After a choice of another view the focus moves to its beginning; at the start the browser decides.
    if (!first.current && view.value !== 'search') heading.current?.focus()
    first.current = false
  }, [title])
  if (signedIn.value === false)
    return (
      <>
        {lost.value && <Away />}
        <SignedOut />
      </>
    )
  return (
    <>
      <a
        class="skip"
        href="#content"
        onClick={(event) => {
          event.preventDefault()
          heading.current?.focus()
        }}
      >
        Skip to the content
      </a>
      <div class="frame">
        <header class="side">
          <div class="brand">
            <svg viewBox="0 0 16 16" aria-hidden="true">
              <circle cx="8" cy="8" r="6.5" />
              <circle class="core" cx="8" cy="8" r="2.5" />
            </svg>
            <b>brain</b>
            {[...new Set([brain.value, project])].map(
              (name) =>
                name && (
                  <bdi key={name} class="project">
                    {name}
                  </bdi>
                ),
            )}
          </div>
          <Navigation />
          <button type="button" class="quiet sign-out" onClick={() => void signOut()}>
            Sign out
          </button>
        </header>
        <div class="stage">
          {lost.value && <Away />}
          <main id="content" class={`view view-${view.value}`}>
            <h1 ref={heading} tabIndex={-1}>
              {title}
            </h1>
            <Content />
          </main>
        </div>
        <RecordPanel />
      </div>
      <Questions />
      <Notices />
    </>
  )
}
