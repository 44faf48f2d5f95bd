/**
 * Spanish. Each entry is an English word and the Spanish words for it; `_` joins the words of a
 * phrase, and `-` stands before words that say nothing about a tool.
 */
export const SPANISH = `
-: el la los las lo un una unos unas de del al a ante bajo con contra desde durante en entre hacia
-: hasta para por según sin sobre tras y e o u ni pero sino que si no como cómo cuando cuándo
-: donde dónde cual cuál cuales cuáles quien quién quienes cuanto cuánto cuanta cuánta cuantos
-: cuántos cuantas cuántas qué porque por_qué yo tú tu tus él ella ellos ellas nosotros vosotros
-: usted ustedes me te se nos os le les mi mis mí su sus nuestro nuestra nuestros nuestras este
-: esta esto estos estas ese esa eso esos esas aquel aquella aquí ahí allí muy más menos mucho
-: mucha muchos muchas poco también ya solo sólo todo toda todos todas algún alguna alguno algunos
-: algunas ningún ninguna otro otra otros otras cada es son soy eres era fue ser estar está están
-: estoy sea hay haber ha he han había tener tengo tiene tienen quiero quisiera quiere queremos
-: querría puedo puedes puede podrías podría pueden necesito necesita necesitamos deseo desea
-: me_gustaría gustaría debo debe deben hacer haz hago hace hagas por_favor favor gracias hola
-: ayúdame ayuda ayudar dame dar da dime decir diga dígame deme permite permíteme vez así cosa
-: cosas algo nada alguien llamado llamada determinado mediante usando través acerca respecto cuyo
-: dentro fuera saber conocer sé sabe va voy vamos ir tal tanto entonces luego además aún mismo
-: misma uno dos posible cierto cierta dado dada todavía

create: crear crea creo cree creado creada creación generar genera confeccionar elaborar
make: fabricar elaborar; new: nuevo nueva nuevos nuevas
add: añadir añade agregar agrega agregue añada incluir incorporar sumar
delete: borrar borra eliminar elimina eliminación suprimir
remove: quitar quita quite eliminar retirar; clear: limpiar vaciar despejar
cancel: cancelar cancela cancelación anular anula; edit: editar edita edición
change: cambiar cambia cambio cambios; modify: modificar modifica modifique modificación
update: actualizar actualiza actualice actualización
replace: reemplazar reemplaza sustituir sustituye
rename: renombrar renombra cambiar_nombre cambiar_el_nombre
list: listar lista listado enumerar enumera
show: mostrar muestra muestre enseñar enseña muéstrame; display: mostrar visualizar pantalla
view: ver vista visualizar veo mira mirar
get: obtener obtén obtiene obtenga conseguir consigue recibir traer trae sacar consultar
fetch: traer recuperar obtener; retrieve: recuperar recupera obtener
read: leer lee leo leído lea lectura; write: escribir escribe escriba escrito redactar redacta
search: buscar busca busque búsqueda buscador buscando búscame
find: encontrar encuentra encuentre hallar halla localizar buscar; look: mirar fijarse
check: comprobar comprueba revisar verificar chequear consultar
verify: verificar verifica verifique; validate: validar valida
send: enviar envía envíe envío mandar manda mande; receive: recibir recibe
reply: responder responde contestar contesta; answer: respuesta responder contestar
forward: reenviar reenvía; post: publicar publica publicación; publish: publicar publica publique
book: reservar reserva reserve libro libros; reserve: reservar reserva
reservation: reserva reservación
schedule: programar programa agendar agenda horario planificar cronograma
plan: planificar planear planifica planificación; share: compartir comparte compartido acción
invite: invitar invita invitación; join: unirse unirme unir entrar; leave: salir abandonar dejar
translate: traducir traduce traduzca tradúceme; translation: traducción
convert: convertir convierte convierta conversión pasar; transform: transformar
compare: comparar compara comparación comparativa; calculate: calcular calcula cálculo calcule
compute: calcular; count: contar cuenta cuente recuento conteo; sum: sumar suma
sort: ordenar ordena clasificar; filter: filtrar filtro filtra; group: agrupar grupo agrupa
upload: subir sube suba cargar subida; download: descargar descarga descargue bajar baja bájame
import: importar importa; export: exportar exporta exportación; save: guardar guarda guarde salvar
store: almacenar guardar tienda; load: cargar carga cargue
open: abrir abre abra abierto abierta abiertos abiertas
close: cerrar cierra cierre cerrado cerrada cerrados
start: iniciar inicia inicie comenzar empezar empieza arrancar inicio
stop: parar detener detén; begin: comenzar comienza; end: terminar fin final acabar
run: ejecutar ejecuta ejecute correr corre carrera; execute: ejecutar ejecución
launch: lanzar lanza; restart: reiniciar reinicia; pause: pausar pausa
resume: reanudar currículum; play: reproducir reproduce reproduzca jugar tocar poner pon
record: grabar graba grabación registrar registro; move: mover mueve mueva trasladar desplazar
copy: copiar copia; duplicate: duplicar duplicado duplicados; paste: pegar pega; cut: cortar corta
merge: fusionar fusiona fusión combinar; combine: combinar combina; split: dividir divide separar
extract: extraer extrae extraiga extracción; insert: insertar inserta; append: anexar añadir
deploy: desplegar despliega despliegue implementar
build: construir construye compilar compila compilación; install: instalar instala instalación
uninstall: desinstalar; configure: configurar configura configuración
set: establecer establece fijar definir poner pon ajustar; reset: restablecer reiniciar resetear
enable: activar activa habilitar habilita; disable: desactivar desactiva deshabilitar
turn: encender enciende apagar apaga girar; switch: cambiar alternar interruptor
lock: bloquear cerradura; unlock: desbloquear; block: bloquear bloqueo bloquea; allow: permitir
grant: conceder otorgar; revoke: revocar; approve: aprobar aprueba apruebe aprobación
reject: rechazar rechaza; accept: aceptar acepta; confirm: confirmar confirma confirmación
submit: presentar entregar enviar; request: solicitar solicitud petición solicita pedir
ask: preguntar pregunta pedir; buy: comprar compra compre; purchase: compra comprar adquirir
sell: vender vende venta ventas; pay: pagar paga pague
order: pedido pedidos pedir ordenar encargar encargo orden
refund: reembolsar reembolso devolución; charge: cobrar cobro cargo
transfer: transferir transferencia transfiere; deposit: depositar depósito ingresar
withdraw: retirar; subscribe: suscribir suscribirse suscríbete; subscription: suscripción abono
unsubscribe: darse_de_baja dar_de_baja desuscribir; follow: seguir sigue
track: rastrear rastrea seguimiento rastreo
monitor: monitorear monitorizar supervisar vigilar monitoreo; watch: ver mirar observar
notify: notificar avisar avisa; notification: notificación aviso
remind: recordar recuerda recuérdame; reminder: recordatorio; alert: alerta alertar
warn: advertir; assign: asignar asigna; unassign: desasignar; label: etiqueta etiquetar
tag: etiqueta etiquetar; mark: marcar marca; pin: fijar; comment: comentar comentario comenta
review: revisar revisa reseña revisión reseñas; rate: tasa calificar valorar tarifa
vote: votar voto votación; like: gustar; analyze: analizar analiza analice; analysis: análisis
summarize: resumir resume resúmeme; summary: resumen sumario
explain: explicar explica explique explicación; describe: describir; description: descripción
generate: generar genera genere; draw: dibujar dibuja dibujo; design: diseñar diseño diseña
paint: pintar; format: formatear formato; print: imprimir imprime impresión
scan: escanear escanea; parse: analizar; encode: codificar; decode: decodificar descodificar
encrypt: cifrar encriptar; decrypt: descifrar; compress: comprimir; unzip: descomprimir
resize: redimensionar cambiar_tamaño; crop: recortar; rotate: rotar girar
click: clic pulsar hacer_clic; scroll: desplazar; type: teclear escribir tipo
navigate: navegar navega; visit: visitar visita; browse: navegar explorar examinar
crawl: rastrear; connect: conectar conecta; disconnect: desconectar; connection: conexión
link: enlazar vincular enlace vínculo; call: llamar llamada llama; dial: marcar; talk: hablar
speak: hablar habla; listen: escuchar escucha oír; hear: oír; learn: aprender; teach: enseñar
register: registrar registrarse inscribir; log: registro; login: iniciar_sesión inicio_de_sesión
logout: cerrar_sesión; sign: firmar firma; backup: respaldo copia_de_seguridad respaldar
restore: restaurar restaura; recover: recuperar; undo: deshacer deshaz; revert: revertir
archive: archivar archiva; sync: sincronizar sincroniza; commit: confirmar confirmación
clone: clonar clona; push: empujar; pull: tirar
fix: arreglar arregla corregir corrige reparar solucionar; solve: resolver resuelve
resolve: resolver resuelve; debug: depurar depuración; test: probar prueba pruebas
measure: medir mide medida; estimate: estimar estimación; predict: predecir predicción
recommend: recomendar recomienda recomiéndame; recommendation: recomendación
suggest: sugerir sugiere; suggestion: sugerencia; select: seleccionar selecciona selección elegir
choose: elegir elige escoger; pick: escoger
manage: gestionar administrar gestión administra gestiona; organize: organizar organiza
control: controlar; use: usar utilizar usa; wait: esperar espera; finish: terminar acabar
complete: completar completa completo; upgrade: mejorar ampliar; query: consulta consultar
drop: soltar; travel: viajar viaje; trip: viaje excursión; drive: conducir manejar; fly: volar
walk: caminar andar paseo; eat: comer; cook: cocinar; file: archivo fichero; folder: carpeta
directory: directorio; path: ruta; document: documento documentación; page: página; text: texto
word: palabra; sentence: frase oración; paragraph: párrafo; line: línea
note: nota apunte anotar anotación; attachment: adjunto adjuntar archivo_adjunto; message: mensaje
email: correo correo_electrónico e_mail mail correos; mail: correo carta cartas
inbox: bandeja_de_entrada buzón bandeja; draft: borrador borradores; recipient: destinatario
sender: remitente; subject: asunto tema; thread: hilo; conversation: conversación
chat: charlar charla chatear; channel: canal; reaction: reacción; mention: mención mencionar
calendar: calendario agenda; event: evento; meeting: reunión reuniones junta
appointment: cita citas; date: fecha; time: hora tiempo horas; timezone: zona_horaria huso_horario
day: día; week: semana; month: mes meses; year: año; hour: hora; minute: minuto; second: segundo
today: hoy; tomorrow: mañana; yesterday: ayer; weekend: fin_de_semana; morning: mañana
evening: tarde noche; night: noche; birthday: cumpleaños; holiday: festivo fiesta
vacation: vacaciones; deadline: fecha_límite plazo; duration: duración
availability: disponibilidad; available: disponible disponibles
free: libre gratis gratuito gratuita; busy: ocupado; task: tarea
todo: tarea to_do pendiente tareas_pendientes; project: proyecto; milestone: hito
goal: objetivo meta; board: tablero; card: tarjeta; issue: incidencia problema asunto
ticket: billete boleto entrada incidencia; bug: error fallo; error: fallo errores; branch: rama
repository: repositorio; code: código; pull request: solicitud_de_extracción solicitud_de_cambios
release: lanzamiento; version: versión; package: paquete; module: módulo
workflow: flujo_de_trabajo flujo; job: trabajo empleo; function: función; script: guion
program: programa; application: aplicación solicitud; app: aplicación; server: servidor
cluster: clúster; container: contenedor; instance: instancia; environment: entorno
secret: secreto; key: clave llave; password: contraseña clave; user: usuario usuaria
account: cuenta; profile: perfil; role: rol; permission: permiso; access: acceso acceder
security: seguridad; owner: propietario dueño; member: miembro; team: equipo
organization: organización; company: empresa compañía; employee: empleado trabajador
manager: gerente jefe; person: persona; people: gente personas; friend: amigo amiga
contact: contacto contactar; customer: cliente clienta; client: cliente; lead: prospecto
deal: trato negocio; campaign: campaña; address: dirección direcciones domicilio
phone: teléfono móvil celular; phone number: número_de_teléfono; number: número; name: nombre
title: título; id: identificador; status: estado; state: estado; category: categoría
property: propiedad inmueble; value: valor; table: tabla mesa; row: fila; column: columna
cell: celda; spreadsheet: hoja_de_cálculo planilla; sheet: hoja
database: base_de_datos bases_de_datos; data: datos dato; dataset: conjunto_de_datos
schema: esquema; field: campo; index: índice; collection: colección; item: elemento artículo ítem
form: formulario; template: plantilla; survey: encuesta; question: pregunta
report: informe reporte; chart: gráfico gráfica; graph: grafo gráfico; diagram: diagrama
statistics: estadísticas estadística; metric: métrica; dashboard: panel tablero
invoice: factura facturas facturar; receipt: recibo comprobante; payment: pago pagos
price: precio; cost: coste costo costar cuesta; amount: cantidad importe monto; total: suma
tax: impuesto iva; discount: descuento; coupon: cupón; budget: presupuesto; bank: banco
balance: saldo; transaction: transacción movimiento; credit card: tarjeta_de_crédito
credit: crédito; loan: préstamo; money: dinero; currency: moneda divisa
exchange rate: tipo_de_cambio tasa_de_cambio; dollar: dólar; expense: gasto
income: ingreso ingresos; revenue: ingresos; stock: acciones existencias bolsa
share price: precio_de_la_acción cotización precio_de_las_acciones; market: mercado; portfolio: cartera portafolio
crypto: criptomoneda cripto; interest: interés; insurance: seguro seguros; contract: contrato
quote: presupuesto cita; offer: oferta ofrecer; product: producto; cart: carrito cesta
shop: tienda; shopping: compras; inventory: inventario existencias; warehouse: almacén
shipping: envío; shipment: envío; delivery: entrega; supplier: proveedor; catalog: catálogo
weather: clima tiempo meteorológico; forecast: pronóstico previsión; temperature: temperatura
rain: lluvia llover lloverá llueve; snow: nieve nevar; wind: viento; sun: sol; climate: clima
air quality: calidad_del_aire; earthquake: terremoto sismo; humidity: humedad; flight: vuelo
airport: aeropuerto; airline: aerolínea; hotel: hoteles alojamiento; room: habitación sala cuarto
accommodation: alojamiento; restaurant: restaurante; train: tren; station: estación
bus: autobús autobuses; car: coche auto carro; vehicle: vehículo; rental: alquiler
bike: bicicleta bici; ship: barco buque; parking: aparcamiento estacionamiento aparcar
map: mapa plano; route: ruta camino; direction: dirección direcciones indicaciones
distance: distancia; location: ubicación localización; place: lugar sitio
nearby: cerca cercano cercanos cercana; city: ciudad; country: país países; region: región
world: mundo; street: calle; house: casa; home: hogar casa
apartment: piso apartamento departamento; building: edificio; rent: alquilar alquiler
traffic: tráfico; destination: destino; departure: salida; arrival: llegada; passport: pasaporte
visa: visado; tourist: turista turismo; attraction: atracción; landmark: monumento; museum: museo
recipe: receta; ingredient: ingrediente; food: comida alimento; meal: comida; dish: plato
menu: menú carta; drink: bebida beber; cocktail: cóctel; nutrition: nutrición; calorie: caloría
diet: dieta; breakfast: desayuno; lunch: almuerzo; dinner: cena; wine: vino; coffee: café
image: imagen imágenes; picture: imagen foto; photo: foto fotografía; video: vídeo; audio: sonido
music: música; song: canción canciones; album: álbum; artist: artista
playlist: lista_de_reproducción; lyrics: letra letras; movie: película; cinema: cine
series: serie; episode: episodio capítulo; actor: actriz; podcast: pódcast; voice: voz
speech: habla discurso; sound: sonido; volume: volumen; camera: cámara; screen: pantalla
screenshot: captura captura_de_pantalla pantallazo; background: fondo; color: colores
font: fuente tipografía; icon: icono; logo: logotipo; animation: animación; news: noticias noticia
headline: titular; article: artículo; blog: bitácora; author: autor autora
library: biblioteca librería; paper: papel; research: investigación investigar; science: ciencia
study: estudio estudiar; citation: cita; poem: poema; story: historia cuento
history: historial historia; dictionary: diccionario; definition: definición significado definir
synonym: sinónimo; language: idioma lengua lenguaje; english: inglés; german: alemán
french: francés; spanish: español; chinese: chino; grammar: gramática; spelling: ortografía
subtitle: subtítulo; transcript: transcripción; transcribe: transcribir
website: sitio_web página_web; web: internet red; site: sitio; domain: dominio; browser: navegador
network: red redes; cloud: nube; button: botón; search engine: motor_de_búsqueda
result: resultado; keyword: palabra_clave palabras_clave; game: juego partida; player: jugador
score: puntuación marcador puntaje; match: partido; league: liga; football: fútbol; sport: deporte
sports: deportes; tournament: torneo; joke: chiste broma; quiz: cuestionario; fact: hecho dato
random: aleatorio azar; horoscope: horóscopo; lottery: lotería; health: salud
doctor: médico doctora; hospital: hospitales; patient: paciente; medicine: medicina medicamento
drug: fármaco droga; symptom: síntoma; disease: enfermedad; fitness: entrenamiento
exercise: ejercicio; workout: entrenamiento; sleep: sueño dormir; weight: peso; heart: corazón
step: paso pasos; body: cuerpo; school: escuela colegio; course: curso; lesson: lección
student: estudiante alumno; teacher: profesor maestro; exam: examen exámenes
university: universidad; education: educación; candidate: candidato; salary: salario sueldo
interview: entrevista; device: dispositivo aparato; light: luz luces lámpara; door: puerta
window: ventana; thermostat: termostato; heating: calefacción; sensor: sensores
alarm: alarma despertador; timer: temporizador; clock: reloj; machine: máquina
battery: batería pila; energy: energía; power: potencia electricidad; water: agua
computer: ordenador computadora; memory: memoria; storage: almacenamiento; disk: disco
math: matemáticas; equation: ecuación; formula: fórmula; unit: unidad; length: longitud largo
size: tamaño; area: área superficie; average: promedio media; percent: porcentaje ciento
maximum: máximo; minimum: mínimo; trend: tendencia; model: modelo; prompt: indicación
agent: agente; knowledge: conocimiento; information: información; detail: detalle; idea: ideas
thought: pensamiento; law: ley leyes; legal: jurídico; court: tribunal juzgado
government: gobierno; politics: política; election: elecciones elección; patent: patente
animal: animales; dog: perro; cat: gato; plant: planta; tree: árbol; flower: flor; planet: planeta
space: espacio; star: estrella; moon: luna; river: río; sea: mar; beach: playa; mountain: montaña
park: parque; child: niño niña hijo; man: hombre; woman: mujer; family: familia; baby: bebé
wedding: boda; gift: regalo; party: fiesta; concert: concierto; theater: teatro
exhibition: exposición; conference: conferencia congreso; presentation: presentación
slide: diapositiva; webinar: seminario; speaker: ponente altavoz; guest: invitado huésped
attendee: asistente; participant: participante; setting: ajuste configuración; option: opción
feature: característica funcionalidad; rule: regla; policy: política; condition: condición
trigger: disparador; action: acción; process: proceso procesar; service: servicio
support: soporte; help: ayuda; feedback: comentarios opinión; complaint: queja reclamación
warranty: garantía; part: parte; level: nivel; priority: prioridad
daily: diario diaria diariamente; weekly: semanal; monthly: mensual; yearly: anual
recent: reciente recientes recientemente últimos últimas último última
latest: última último últimas últimos; last: último última pasado pasada
next: próximo próxima siguiente próximos; previous: anterior; upcoming: próximos próximas venidero
current: actual actuales actualmente; now: ahora; old: viejo antiguo antigua; past: pasado
future: futuro; first: primero primera primer; closed: cerrado cerrada
unread: no_leído no_leídos sin_leer no_leída no_leídas; shared: compartido compartida
private: privado privada; public: público pública; local: locales; global: mundial; active: activo
inactive: inactivo; pending: pendiente; overdue: vencido vencida atrasado; due: vence vencimiento
done: hecho terminado; important: importante; urgent: urgente; favorite: favorito favorita
popular: populares; best: mejor mejores; top: principales; cheap: barato barata económico
expensive: caro; high: alto alta; low: bajo baja; large: grande; big: grande gran
small: pequeño pequeña; long: largo larga; short: corto corta; fast: rápido rápida; slow: lento
hot: caliente calor; cold: frío; empty: vacío vacía; full: lleno llena
missing: falta faltante faltan; different: diferente distinto; difference: diferencia; same: igual
similar: parecido similares; related: relacionado; specific: específico específica concreto
multiple: varios varias múltiples; several: varios; whole: entero completo
automatic: automático automáticamente; online: en_línea; live: en_vivo en_directo; red: rojo
green: verde; blue: azul; black: negro; white: blanco; yellow: amarillo
sale: venta ventas

win: ganar ganó gana ganador; population: población habitantes; payroll: nómina
return: devolver devuelve; time: qué_hora; wishlist: lista_de_deseos; sunrise: amanecer
sunset: atardecer; coordinates: coordenadas; fuel: combustible gasolina; charging: recarga
sentiment: sentimiento; vulnerability: vulnerabilidad; threat: amenaza; certificate: certificado
performance: rendimiento; usage: uso consumo; limit: límite; queue: cola; license: licencia
topic: tema; follower: seguidor seguidores; barcode: código_de_barras; qr code: código_qr
metadata: metadatos; proofread: corregir; pronunciation: pronunciación; outage: interrupción caída
incident: incidente incidencia; law: legislación; review: evaluación; cat: gato gata
holiday: días_festivos; tracking: número_de_seguimiento; refund: devolución; tip: propina
bill: cuenta; wage: jornal; visualize: visualizar; simulate: simular; optimize: optimizar
classify: clasificar; detect: detectar; recognize: reconocer; hide: ocultar esconder
expand: expandir ampliar; attach: adjuntar; collect: recopilar recoger; donate: donar
apply: aplicar; distribute: distribuir; clean: limpiar limpia; lend: prestar; earn: ganar
`;
