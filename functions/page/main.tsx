import { render } from 'preact'
import { spellOutTexts } from './parts/spell-out.ts'
import { App } from './shell/app.tsx'
import './style/base.css'

spellOutTexts()
const place = document.getElementById('page')
if (place !== null) render(<App />, place)
