import { mount } from 'svelte';
import App from './App.svelte';
import './page.css';
import { takeToken } from './wire/index.ts';

takeToken();
const target = document.getElementById('page');
if (target) mount(App, { target });
