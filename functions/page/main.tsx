import { render } from 'preact'
import { App } from './shell/app.tsx'
import './style/base.css'

const place = document.getElementById('page')
if (place !== null) render(<App />, place)
