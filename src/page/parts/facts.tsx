/** What is shown of every kind of record: its text, and facts as pairs of a name and a value. */
import type { ComponentChildren } from 'preact'

export const Text = ({ children }: { children: string }) => (
  <p class="record-text" dir="auto">
    {children}
  </p>
)

/** The same in a question about the record. */
export const Quote = ({ children }: { children: string }) => (
  <blockquote class="record-text" dir="auto">
    {children}
  </blockquote>
)

export const Facts = ({ children }: { children: ComponentChildren }) => <dl class="facts">{children}</dl>

export const Fact = ({ name, children }: { name: string; children: ComponentChildren }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)
