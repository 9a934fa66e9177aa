import { useEffect, useRef, useState } from 'react'

type Tip = { text: string; x: number; y: number; below: boolean }

const delay = 350

/**
 * The tooltips of the whole page: an element's `title` is shown on hover and on keyboard focus. One listener serves
 * all elements; the browser's own tooltip is suppressed meanwhile.
 */
function TooltipLayer() {
  const [tip, setTip] = useState<Tip | null>(null)
  const held = useRef<{ element: HTMLElement; title: string } | null>(null)

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const release = (): void => {
      clearTimeout(timer)
      const current = held.current
      if (current && !current.element.hasAttribute('title'))
        current.element.setAttribute('title', current.title)
      held.current = null
      setTip(null)
    }
    const show = (element: HTMLElement, title: string): void => {
      const box = element.getBoundingClientRect()
      if (box.width === 0) return
      element.removeAttribute('title')
      const below = box.top < 80
      setTip({ text: title, x: box.left + box.width / 2, y: below ? box.bottom + 6 : box.top - 6, below })
    }
    const consider = (target: EventTarget | null, wait: number): void => {
      const element = target instanceof Element ? target.closest<HTMLElement>('[title]') : null
      if (element && element === held.current?.element) return
      const inside = target instanceof Node && held.current?.element.contains(target)
      if (!element) {
        if (!inside) release()
        return
      }
      release()
      const title = element.getAttribute('title') ?? ''
      if (title === '') return
      held.current = { element, title }
      timer = setTimeout(() => show(element, title), wait)
    }
    const onOver = (event: PointerEvent): void => {
      if (event.pointerType === 'mouse') consider(event.target, delay)
    }
    const onFocus = (event: FocusEvent): void => {
      if (event.target instanceof Element && event.target.matches(':focus-visible')) consider(event.target, 0)
    }
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === 'Escape') release()
    }
    document.addEventListener('pointerover', onOver)
    document.addEventListener('focusin', onFocus)
    document.addEventListener('focusout', release)
    document.addEventListener('pointerdown', release)
    document.addEventListener('keydown', onKey)
    addEventListener('scroll', release, { passive: true, capture: true })
    return () => {
      release()
      document.removeEventListener('pointerover', onOver)
      document.removeEventListener('focusin', onFocus)
      document.removeEventListener('focusout', release)
      document.removeEventListener('pointerdown', release)
      document.removeEventListener('keydown', onKey)
      removeEventListener('scroll', release, { capture: true })
    }
  }, [])

  if (!tip) return null
  /** Centred on the element, as far as the window lets it. */
  const place = (element: HTMLElement | null): void => {
    if (!element) return
    const { offsetWidth: width } = element
    const left = Math.max(12, Math.min(document.documentElement.clientWidth - 12 - width, tip.x - width / 2))
    element.style.left = `${left}px`
  }
  return (
    <div
      ref={place}
      role="tooltip"
      className="pointer-events-none fixed z-60 w-max max-w-[min(400px,calc(100vw-24px))] rounded-small border border-line bg-raised px-2 py-1 text-xs break-words text-text shadow-float"
      style={{ top: tip.y, transform: `translateY(${tip.below ? '0' : '-100%'})` }}
    >
      {tip.text}
    </div>
  )
}

/**
 * Highlights all elements that show the value under the pointer or the focus. The rule is in its own style sheet, so
 * that no elements are searched for or changed.
 */
function HighlightLayer() {
  useEffect(() => {
    const sheet = new CSSStyleSheet()
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
    let shown: string | undefined
    const light = (event: Event): void => {
      const element =
        event.target instanceof Element ? event.target.closest<HTMLElement>('[data-value]') : null
      const value = element?.dataset['value']
      if (value === shown) return
      shown = value
      sheet.replaceSync(
        value === undefined
          ? ''
          : `[data-value="${CSS.escape(value)}"]{background:var(--color-mark);box-shadow:0 0 0 2px var(--color-mark);border-radius:3px}`,
      )
    }
    document.addEventListener('pointerover', light)
    document.addEventListener('focusin', light)
    return () => {
      document.removeEventListener('pointerover', light)
      document.removeEventListener('focusin', light)
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet)
    }
  }, [])
  return null
}

/** Both layers. */
export function Layers() {
  return (
    <>
      <TooltipLayer />
      <HighlightLayer />
    </>
  )
}
